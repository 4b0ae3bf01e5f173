import { type Tool, tool } from '../../tools/tool.ts';

const path = { type: 'string', description: 'Path of the file' } as const;

/** The tools of the tour: those of a coding agent, with files in memory. */
export function tourTools(): Tool[] {
  const files = new Map([
    ['src/app.ts', "import { hello } from './greet.ts';\n\n// TODO say it politely\nhello();\n"],
    ['src/list.ts', '// TODO sort it\nexport const names = [];\n'],
    ['build/app.js', 'hello();\n'],
  ]);
  const textOf = (name: string): string => {
    const text = files.get(name);
    if (text === undefined) throw new Error(`There is no file ${name}`);
    return text;
  };
  return [
    tool({
      name: 'read_file',
      description: 'Reads a file',
      inputSchema: {
        type: 'object',
        properties: { path, limit: { type: 'integer', minimum: 1, description: 'How many lines' } },
        required: ['path'],
        additionalProperties: false,
      },
      effect: 'read',
      execute: ({ path: name, limit }) => textOf(name).split('\n').slice(0, limit).join('\n'),
    }),
    tool({
      name: 'pattern_search',
      description: 'Searches files for a pattern',
      inputSchema: {
        type: 'object',
        properties: {
          pattern: { type: 'string' },
          files: { type: 'array', items: { type: 'string' } },
          mode: { enum: ['whole_word', 'substring'] },
        },
        required: ['pattern', 'files'],
      },
      effect: 'read',
      execute: ({ pattern, files: names }) =>
        names
          .flatMap((name) =>
            textOf(name)
              .split('\n')
              .map((line, index) => `${name}:${index + 1}: ${line}`),
          )
          .filter((line) => line.includes(pattern))
          .join('\n'),
    }),
    tool({
      name: 'write_file',
      description: 'Writes a file',
      inputSchema: {
        type: 'object',
        properties: { path, content: { type: 'string' } },
        required: ['path', 'content'],
      },
      execute: ({ path: name, content }) => {
        files.set(name, content);
        return `${content.length} characters written to ${name}`;
      },
    }),
    tool({
      name: 'fs_multi_edit',
      description: 'Replaces text in several files',
      inputSchema: {
        type: 'object',
        properties: {
          edits: {
            type: 'array',
            items: {
              type: 'object',
              properties: { path, find: { type: 'string' }, replace: { type: 'string' } },
              required: ['path', 'find', 'replace'],
            },
          },
        },
        required: ['edits'],
      },
      execute: ({ edits }) => {
        for (const edit of edits) files.set(edit.path, textOf(edit.path).replace(edit.find, edit.replace));
        return `${edits.length} edits made`;
      },
    }),
    tool({
      name: 'delete_folder',
      description: 'Deletes the files of a folder that have not changed for a number of days',
      inputSchema: {
        type: 'object',
        properties: { path, days: { type: 'integer', minimum: 0 } },
        required: ['path', 'days'],
      },
      effect: 'destructive',
      execute: ({ path: name }) => {
        for (const file of files.keys()) if (file.startsWith(`${name}/`)) files.delete(file);
        return `${name} is deleted`;
      },
    }),
  ];
}
