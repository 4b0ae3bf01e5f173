import { isObject } from '../../json/value.ts';
import type { Fault } from '../../tools/config-error.ts';
import type { McpServerOptions, McpSettings } from './settings.ts';

type Given = Readonly<Record<string, unknown>>;
interface Row {
  readonly field: string;
  /** What is wrong; undefined if nothing is. */
  readonly fault: (value: unknown, all: Given) => string | undefined;
  readonly fix: string;
}

const milliseconds = (value: unknown): string | undefined =>
  value === undefined || (typeof value === 'number' && value > 0) ? undefined : 'is not a number of milliseconds';

const settingRows: readonly Row[] = [
  {
    field: 'callTool',
    fault: (value) => (value === undefined ? undefined : 'belongs to a connected client, which is not a server'),
    fix: 'Pass { name, command } or { name, url }, or convert the tools that your client lists with toolFromMcp(definition, { execute })',
  },
  {
    field: 'name',
    // Two underscores separate the server's name in tool names.
    fault: (value) =>
      typeof value === 'string' && /^[A-Za-z0-9][\w.-]*$/.test(value) && !value.includes('__')
        ? undefined
        : 'may only contain letters, digits, single underscores, dots and dashes',
    fix: "Give the server a short name, like 'github'",
  },
  {
    field: 'command',
    fault: (value, { url }) => {
      if ((value === undefined) === (url === undefined)) return 'and url: exactly one of them is required';
      return value === undefined || (typeof value === 'string' && value.trim() !== '') ? undefined : 'is not a string';
    },
    fix: 'Pass the command that starts the server, or the url where it runs',
  },
  {
    field: 'args',
    fault: (value) => (value === undefined || isTexts(value) ? undefined : 'is not a list of strings'),
    fix: "Pass each argument as a separate string, like ['--port', '80']",
  },
  {
    field: 'env',
    fault: (value) =>
      value === undefined || isTextRecord(value) ? undefined : 'contains a value that is not a string',
    fix: 'Give each variable a string value, and leave out unset ones',
  },
  {
    field: 'cwd',
    fault: (value) => (value === undefined || typeof value === 'string' ? undefined : 'is not a string'),
    fix: 'Pass the working directory of the server',
  },
  {
    field: 'url',
    fault: (value) => (value === undefined ? undefined : urlFault(value)),
    fix: 'Use the complete URL, like https://example.com/mcp, and pass credentials in headers',
  },
  {
    field: 'headers',
    fault: (value) =>
      value === undefined || isHeaders(value) ? undefined : 'contains a value that is not a valid header',
    fix: 'Give each header a name and a string value',
  },
];

const optionRows: readonly Row[] = [
  ...(['include', 'exclude'] as const).map((field) => ({
    field,
    fault: (value: unknown) => (value === undefined || isTexts(value) ? undefined : 'is not a list of strings'),
    fix: "List tool names, with * as a wildcard, like ['read_*']",
  })),
  {
    field: 'prefix',
    fault: (value) =>
      value === undefined || (typeof value === 'string' && /^[\w.-]*$/.test(value))
        ? undefined
        : 'contains a character that tool names must not contain',
    fix: 'Use letters, digits, _, . and -',
  },
  ...(['timeout', 'connectTimeout', 'grace'] as const).map((field) => ({
    field,
    fault: milliseconds,
    fix: 'Use a positive number of milliseconds',
  })),
  {
    field: 'attempts',
    fault: (value) =>
      value === undefined || (Number.isInteger(value) && Number(value) > 0) ? undefined : 'is not a count',
    fix: 'Use an integer of at least 1',
  },
];

/** Validates the settings of a server. */
export function settingsFaults(settings: McpSettings, options: McpServerOptions = {}): Fault[] {
  const find = (rows: readonly Row[], given: Given): Fault[] =>
    rows.flatMap(({ field, fault, fix }) => {
      const message = fault(given[field], given);
      return message === undefined ? [] : [{ field, message: `${field} ${message}`, fix }];
    });
  return [...find(settingRows, { ...settings }), ...find(optionRows, { ...options })];
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

const isTextRecord = (value: unknown): value is Record<string, string> =>
  isObject(value) && isTexts(Object.values(value));

function isHeaders(value: unknown): boolean {
  if (!isTextRecord(value)) return false;
  try {
    new Headers(value);
    return true;
  } catch {
    return false;
  }
}

function urlFault(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not an http or https URL';
  return url.username || url.password ? 'holds credentials' : undefined;
}
