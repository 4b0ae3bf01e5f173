import { isObject, type JsonObject } from '../../json/value.ts';
import { makeId } from '../../mend/make-id.ts';
import type { OpaqueTool, ToolSpec } from '../../model/index.ts';
import type { JsonSchema } from '../../schema/types.ts';

/** A tool that a provider defines and the client runs, as a plain function. */
export interface BuiltInTool {
  readonly spec: ToolSpec;
  /** The item of a call with arguments; undefined if the API format has plain calls of the tool. */
  readonly item?: (args: JsonObject, callId: string) => JsonObject;
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const list = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });

const functionOf = (
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): ToolSpec => ({
  type: 'function',
  name,
  description,
  schema: { type: 'object', properties, required: [...required], additionalProperties: false },
});

const status = 'completed';

/** Tools of the Responses API by type. Their calls are items with an object of their own. */
const ofResponses: Readonly<Record<string, BuiltInTool>> = {
  local_shell: {
    spec: functionOf(
      'local_shell',
      'Runs a command on the local machine and returns its output',
      {
        command: list('The program and its arguments, such as ["bash", "-lc", "ls"]'),
        working_directory: text('The folder to run it in'),
        timeout_ms: whole('Milliseconds after which it is stopped'),
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables' },
      },
      ['command'],
    ),
    item: ({ command = [], env = {}, ...more }, callId) => ({
      type: 'local_shell_call',
      id: makeId('lsh_'),
      call_id: callId,
      status,
      action: { type: 'exec', command, env, ...more },
    }),
  },
  shell: {
    spec: functionOf(
      'shell',
      'Runs shell commands and returns the output of each',
      {
        commands: list('Shell commands, each run on its own'),
        timeout_ms: whole('Milliseconds after which they are stopped'),
        max_output_length: whole('Maximum number of characters to return'),
      },
      ['commands'],
    ),
    item: ({ commands = [], ...more }, callId) => ({
      type: 'shell_call',
      id: makeId('sh_'),
      call_id: callId,
      status,
      action: { commands, ...more },
    }),
  },
  apply_patch: {
    spec: functionOf(
      'apply_patch',
      'Creates, updates or deletes a file',
      {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('Path of the file'),
        diff: text('The change in the V4A diff format; all lines of a new file start with +. Not for delete_file'),
      },
      ['type', 'path'],
    ),
    item: (operation, callId) => ({
      type: 'apply_patch_call',
      id: makeId('apc_'),
      call_id: callId,
      status,
      operation,
    }),
  },
};

/** Tools of the Anthropic API by type. Their calls are plain `tool_use` blocks. */
const ofAnthropic: readonly (readonly [type: RegExp, spec: ToolSpec])[] = [
  [
    /^bash_\d+$/,
    functionOf(
      'bash',
      'Runs a command in a persistent bash session and returns its output',
      { command: text('The command'), restart: { type: 'boolean', description: 'Starts a new session instead' } },
      [],
    ),
  ],
  [
    /^text_editor_\d+$/,
    functionOf(
      'str_replace_based_edit_tool',
      'Views, creates and edits text files',
      {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'] },
        path: text('Path of the file or folder'),
        file_text: text('For create: the content of the file'),
        old_str: text('For str_replace: the text to replace, which must occur exactly once'),
        new_str: text('For str_replace: the new text'),
        insert_line: whole('For insert: the line after which to insert; 0 is the start'),
        insert_text: text('For insert: the text to insert'),
        view_range: { type: 'array', items: { type: 'integer' }, description: 'For view: the first and the last line' },
      },
      ['command', 'path'],
    ),
  ],
  [
    /^memory_\d+$/,
    functionOf(
      'memory',
      'Reads and writes files in the folder /memories, which is kept between conversations',
      {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
        path: text('Path of the file or folder'),
        view_range: { type: 'array', items: { type: 'integer' }, description: 'For view: the first and the last line' },
        file_text: text('For create: the content of the file'),
        old_str: text('For str_replace: the text to replace'),
        new_str: text('For str_replace: the new text'),
        insert_line: whole('For insert: the line after which to insert'),
        insert_text: text('For insert: the text to insert'),
        old_path: text('For rename: the current path'),
        new_path: text('For rename: the new path'),
      },
      ['command'],
    ),
  ],
];

/** A provider's tool that the client runs; undefined for tools that only the provider can run. */
export function builtInTool({ format, value }: OpaqueTool): BuiltInTool | undefined {
  if (!isObject(value) || typeof value.type !== 'string') return undefined;
  const { type, name, environment } = value;
  if (format === 'openai-responses') {
    const isRemote = isObject(environment) && environment.type !== 'local';
    return Object.hasOwn(ofResponses, type) && !isRemote ? ofResponses[type] : undefined;
  }
  const spec = format === 'anthropic' ? ofAnthropic.find(([pattern]) => pattern.test(type))?.[1] : undefined;
  return spec && { spec: typeof name === 'string' ? { ...spec, name } : spec };
}

/** The tool and the arguments of such a call in the conversation; undefined for other items. */
export function builtInCall({ type, action, operation }: JsonObject): { name: string; args: JsonObject } | undefined {
  const name = typeof type === 'string' && type.endsWith('_call') ? type.slice(0, -'_call'.length) : '';
  const given = name === 'apply_patch' ? operation : action;
  if (!Object.hasOwn(ofResponses, name) || !isObject(given)) return undefined;
  if (name !== 'local_shell') return { name, args: given };
  const { type: _, ...args } = given;
  return { name, args };
}

/** The result of such a call as text, and the id of the call; undefined for other items. */
export function builtInResult(item: JsonObject): { callId: string; text: string; isError: boolean } | undefined {
  const { type, output, status: ended } = item;
  if (typeof type !== 'string' || !/^(?:local_shell|shell|apply_patch)_call_output$/.test(type)) return undefined;
  // Only `local_shell` has the id of the call in `id`.
  const callId = item.call_id ?? item.id;
  if (typeof callId !== 'string') return undefined;
  const said =
    typeof output === 'string' ? output : output === undefined || output === null ? '' : JSON.stringify(output);
  return { callId, text: said === '' ? String(ended ?? 'completed') : said, isError: ended === 'failed' };
}
