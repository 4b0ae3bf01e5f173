import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');

/** A code example and its position. */
export interface Example {
  readonly code: string;
  readonly where: string;
}

/**
 * Type-checks examples as one program, each as a module in the project's folder.
 * `entries` maps imports of the package to source files.
 */
export const typeErrors = (examples: readonly Example[], entries: Readonly<Record<string, string>>): string[] => {
  const options = optionsFor(entries);
  const codes = new Map(examples.map(({ code }, index) => [pathOf(index), code]));
  const program = ts.createProgram([...codes.keys()], options, hostWith(codes, options));
  return examples.flatMap(({ where }, index) => {
    const file = program.getSourceFile(pathOf(index));
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map((one) => `${where}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`);
  });
};

const pathOf = (index: number): string => join(root, `docs-example-${index}.ts`).replaceAll('\\', '/');

/** The project's settings, except that examples may have unused declarations. */
const optionsFor = (entries: Readonly<Record<string, string>>): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  return {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    paths: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, [`./${entry}`]])),
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
};

const hostWith = (codes: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (path) => codes.has(path) || host.fileExists(path),
    readFile: (path) => codes.get(path) ?? host.readFile(path),
    getSourceFile: (path, version, ...rest) => {
      const code = codes.get(path);
      return code === undefined ? host.getSourceFile(path, version, ...rest) : ts.createSourceFile(path, code, version);
    },
  };
};
