interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

const walk = (node: Node, visit: (node: Node, parent: Node) => void): void => {
  for (const child of Object.values(node).flat()) {
    if (!isNode(child)) continue;
    visit(child, node);
    walk(child, visit);
  }
};

/** The literals of constants such as `const word = /\p{L}/u`, by name. */
const slowPatterns = (program: Node): Map<string, Node> => {
  const literals = new Map<string, Node>();
  for (const statement of program.body as Node[]) {
    for (const { id, init } of (statement.declarations ?? []) as { id: Node; init: Node | null }[]) {
      const regex = init?.regex as { readonly pattern: string } | undefined;
      if (statement.kind === 'const' && init && regex?.pattern.includes('\\p{')) literals.set(String(id.name), init);
    }
  }
  return literals;
};

const isName = ({ type, computed, shorthand, key, property }: Node, node: Node): boolean =>
  !computed && !shorthand && ((type === 'MemberExpression' && node === property) || node === key);

const isUse = ({ type, object, callee }: Node, node: Node): boolean =>
  type === 'MemberExpression' ? node === object : type === 'CallExpression' && node !== callee;

/**
 * Creates the patterns of a module on first use, because V8 parses Unicode classes slowly: these patterns took half of the
 * time to import the package. Changes constants whose name always stands for the pattern, as in `word.test(text)` or
 * `text.replace(word, '')`; one that is exported, copied or shadowed remains.
 *
 * @param parse Returns the syntax tree of a module.
 */
export function lazyPatterns(code: string, parse: (code: string) => unknown): string {
  const program = parse(code) as Node;
  const literals = slowPatterns(program);
  const uses = new Map([...literals.keys()].map((name): [string, Node[]] => [name, []]));
  walk(program, (node, parent) => {
    const name = String(node.name);
    if (node.type !== 'Identifier' || !uses.has(name) || isName(parent, node)) return;
    const declared = parent.type === 'VariableDeclarator' && parent.init === literals.get(name);
    if (isUse(parent, node)) uses.get(name)?.push(node);
    else if (!declared) uses.delete(name);
  });

  const edits = [...uses].flatMap(([name, nodes]) => {
    const { start, end, regex } = literals.get(name) as Node & { regex: { pattern: string; flags: string } };
    const made = `new RegExp(${JSON.stringify(regex.pattern)}, "${regex.flags}")`;
    const creation = { start, end, text: `/* @__PURE__ */ lazyPattern(() => ${made})` };
    return [creation, ...nodes.map((node) => ({ start: node.end, end: node.end, text: '()' }))];
  });
  if (edits.length === 0) return code;
  let changed = code;
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start))
    changed = changed.slice(0, start) + text + changed.slice(end);
  // A function declaration, because constants above it may call it.
  return `${changed}\nfunction lazyPattern(make) {\n  let made;\n  return () => (made ??= make());\n}\n`;
}
