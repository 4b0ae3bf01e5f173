import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };

const define = (
  name: string,
  effect: 'read' | 'write' | 'destructive',
  properties: object,
  required: readonly string[],
  more: object = {},
) =>
  tool({ name, description: `Does ${name}`, effect, inputSchema: { type: 'object', properties, required, ...more } });

/** The tools that the calls are for. */
export const toolbox = new Toolbox([
  define('read_file', 'read', { path: text, limit: { type: 'integer', minimum: 1, maximum: 2000 } }, ['path']),
  define('write_file', 'write', { path: text, content: text }, ['path', 'content'], { additionalProperties: false }),
  define('delete_user', 'destructive', { id: text, age: integer, tags: { type: 'array', items: text } }, ['id']),
  define(
    'search',
    'read',
    {
      query: { type: 'string', minLength: 2 },
      mode: { enum: ['exact', 'fuzzy', 'regex'] },
      tags: { type: 'array', items: text, maxItems: 3, uniqueItems: true },
      options: {
        type: 'object',
        properties: { deep: { type: 'boolean' }, most: integer },
        additionalProperties: false,
      },
    },
    ['query'],
  ),
  define('set_age', 'write', { name: text, age: integer, unit: { enum: ['years', 'months'] } }, [
    'name',
    'age',
    'unit',
  ]),
  define(
    'multi_edit',
    'write',
    {
      edits: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', properties: { path: text, line: integer, find: text }, required: ['path', 'find'] },
      },
    },
    ['edits'],
  ),
  define(
    'send_mail',
    'write',
    {
      to: { type: 'string', format: 'email' },
      day: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
      price: { type: 'number', multipleOf: 5 },
    },
    ['to'],
  ),
  define(
    'draw',
    'write',
    {
      shape: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
          { type: 'object', properties: { kind: { const: 'box' }, w: { type: 'number' } }, required: ['kind', 'w'] },
        ],
      },
    },
    ['shape'],
  ),
]);

/** A call that no entrance may run, and the paragraphs of what its model reads. */
export interface Refused {
  /** It was said so before, and stays so. */
  readonly guard?: true;
  readonly call: readonly [name: string, args: unknown, finish?: 'stop' | 'length'];
  readonly first: readonly string[];
  /** What the second try has beside, before the last paragraph. */
  readonly second: readonly string[];
  /** What the third has beside that. */
  readonly third: readonly string[];
}

/** What is said of each call, to the letter. */
export const refused: readonly Refused[] = [
  {
    call: ['read_file', '{"path": "a.ts", "limit": 5'],
    first: [
      "The call to 'read_file' was cut off before it was complete. Nothing was run.",
      "1. Field 'limit' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"path": "a.ts", "limit": 5  ← the text ends`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts"}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts", "limit": 5', 'stop'],
    first: [
      "The call to 'read_file' was cut off before it was complete. Nothing was run.",
      "1. Field 'limit' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"path": "a.ts", "limit": 5  ← the text ends`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts"}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts'],
    first: [
      "The call to 'read_file' was cut off before it was complete. Nothing was run.",
      "1. Field 'path' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"path": "a.ts  ← the text ends`,
    ],
    third: [
      `What the schema says:
path (required): {"type":"string"}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '{"path": "a.ts', 'length'],
    first: [
      "The call to 'read_file' was cut off by the output token limit before it was complete. Nothing was run.",
      "1. Field 'path' is cut off: the text ends before it is complete",
      'Please send it again in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [],
    third: [],
  },
  {
    call: ['read_file', '{"path": "a.ts"', 'length'],
    first: [
      "The call to 'read_file' was cut off by the output token limit before it was complete. Nothing was run.",
      '1. Root object is cut off: the text ends before it is complete',
      'Please send it again in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [],
    third: [],
  },
  {
    call: ['read_file', '{"path": "a.ts",'],
    first: [
      "The call to 'read_file' was cut off before it was complete. Nothing was run.",
      '1. Root object is cut off: the text ends before it is complete',
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"path": "a.ts",  ← the text ends`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"]}`,
      `Example of a call to read_file:
{"path":"a.ts"}`,
    ],
  },
  {
    call: ['read_file', '{"path":'],
    first: [
      "The call to 'read_file' was cut off before it was complete. Nothing was run.",
      "1. Field 'path' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"path":  ← the text ends`,
    ],
    third: [
      `What the schema says:
path (required): {"type":"string"}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    call: ['read_file', '{'],
    first: [
      "The call to 'read_file' was cut off before it was complete. Nothing was run.",
      '1. Root object is cut off: the text ends before it is complete',
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{  ← the text ends`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"]}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    call: ['write_file', '{"path": "a.ts", "content": "const a = 1;', 'stop'],
    first: [
      "The call to 'write_file' was cut off before it was complete. Nothing was run.",
      "1. Field 'content' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"path": "a.ts", "content": "const a = 1;  ← the text ends`,
    ],
    third: [
      `What the schema says:
content (required): {"type":"string"}`,
      `Example of a call to write_file:
{"path":"a.ts","content":"<content>"}`,
    ],
  },
  {
    guard: true,
    call: ['write_file', '{"path": "a.ts", "content": "const a = 1;', 'length'],
    first: [
      "The call to 'write_file' was cut off by the output token limit before it was complete. Nothing was run.",
      "1. Field 'content' is cut off: the text ends before it is complete",
      'Please send it again in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [],
    third: [],
  },
  {
    call: ['multi_edit', '{"edits": [{"path": "a.ts", "find": "x"}'],
    first: [
      "The call to 'multi_edit' is not complete: closing brackets are missing. Nothing was run.",
      "1. Field 'edits' is not closed: the text ends without ]}",
      'Please send it again as a whole, up to its last closing bracket.',
    ],
    second: [
      `The arguments as received end here:
{"edits": [{"path": "a.ts", "find": "x"}  ← ]} is missing`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"x"}]}`,
    ],
  },
  {
    call: ['multi_edit', '{"edits": [{"path": "a.ts", "find": "x"}', 'stop'],
    first: [
      "The call to 'multi_edit' is not complete: closing brackets are missing. Nothing was run.",
      "1. Field 'edits' is not closed: the text ends without ]}",
      'Please send it again as a whole, up to its last closing bracket.',
    ],
    second: [
      `The arguments as received end here:
{"edits": [{"path": "a.ts", "find": "x"}  ← ]} is missing`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"x"}]}`,
    ],
  },
  {
    call: ['multi_edit', '{"edits": [{"path": "a.ts", "find": "x"'],
    first: [
      "The call to 'multi_edit' is not complete: closing brackets are missing. Nothing was run.",
      "1. Field 'edits.0' is not closed: the text ends without }]}",
      'Please send it again as a whole, up to its last closing bracket.',
    ],
    second: [
      `The arguments as received end here:
{"edits": [{"path": "a.ts", "find": "x"  ← }]} is missing`,
    ],
    third: [
      `What the schema says:
edits[]: {"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"x"}]}`,
    ],
  },
  {
    call: ['multi_edit', '{"edits": [{"path": "a.ts", "find": "x"}', 'length'],
    first: [
      "The call to 'multi_edit' was cut off by the output token limit before it was complete. Nothing was run.",
      "1. Field 'edits' is cut off: the text ends before it is complete",
      'Please send it again in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [],
    third: [],
  },
  {
    call: ['search', '{"query": "ab", "tags": ["x", "y"'],
    first: [
      "The call to 'search' is not complete: closing brackets are missing. Nothing was run.",
      "1. Field 'tags' is not closed: the text ends without ]}",
      'Please send it again as a whole, up to its last closing bracket.',
    ],
    second: [
      `The arguments as received end here:
{"query": "ab", "tags": ["x", "y"  ← ]} is missing`,
    ],
    third: [
      `What the schema says:
tags: {"type":"array","items":{"type":"string"},"maxItems":3,"uniqueItems":true}`,
      `Example of a call to search:
{"query":"ab","tags":["x","y"]}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "tags": ["x", "y'],
    first: [
      "The call to 'search' was cut off before it was complete. Nothing was run.",
      "1. Field 'tags.1' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"query": "ab", "tags": ["x", "y  ← the text ends`,
    ],
    third: [
      `What the schema says:
tags[]: {"type":"string"}`,
      `Example of a call to search:
{"query":"ab","tags":["x","<tags>"]}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1"'],
    first: [
      'Parameter validation failed:',
      "1. Root object lacks a closing '}': this tool runs only if its arguments need no inference",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{"id": "u1"  ← lacks a closing '}': this tool runs only if its arguments need no inference`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"id":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"]}`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1"', 'stop'],
    first: [
      'Parameter validation failed:',
      "1. Root object lacks a closing '}': this tool runs only if its arguments need no inference",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{"id": "u1"  ← lacks a closing '}': this tool runs only if its arguments need no inference`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"id":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"]}`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1", "age": 30', 'stop'],
    first: [
      "The call to 'delete_user' was cut off before it was complete. Nothing was run.",
      "1. Field 'age' is cut off: the text ends before it is complete",
      'Please send it again as a whole, or in smaller pieces: less text in one call, the rest in further calls.',
    ],
    second: [
      `The arguments as received end here:
{"id": "u1", "age": 30  ← the text ends`,
    ],
    third: [
      `What the schema says:
age: {"type":"integer"}`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1", "age": "30"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": "u1"
  "age": "30"  ← expected integer, got string
}`,
    ],
    third: [
      `What the schema says:
age: {"type":"integer"}`,
      `Example of a call to delete_user:
{"id":"u1","age":30}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1", "age": "30 years"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": "u1"
  "age": "30 years"  ← expected integer, got string
}`,
    ],
    third: [
      `What the schema says:
age: {"type":"integer"}`,
      `Example of a call to delete_user:
{"id":"u1","age":"<age: an integer>"}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1", "tags": "old"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'tags' expected array, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": "u1"
  "tags": "old"  ← expected array, got string
}`,
    ],
    third: [
      `What the schema says:
tags: {"type":"array","items":{"type":"string"}}`,
      `Example of a call to delete_user:
{"id":"u1","tags":["old"]}`,
    ],
  },
  {
    call: ['delete_user', '{"ID": "u1"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'ID' is not known; did you mean 'id'?",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "ID": "u1"  ← is not known; did you mean 'id'?
}`,
    ],
    third: [
      `What the schema says:
Root object: fields id, age, tags`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    call: ['delete_user', '{"id": 7}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'id' expected string, got number",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": 7  ← expected string, got number
}`,
    ],
    third: [
      `What the schema says:
id (required): {"type":"string"}`,
      `Example of a call to delete_user:
{"id":"7"}`,
    ],
  },
  {
    call: ['delete_user', '{"arguments": {"id": "u1"}}'],
    first: [
      'Parameter validation failed:',
      '1. Root object is inside a wrapper; send its fields directly: this tool runs only if its arguments need no inference',
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{"arguments": {"id": "u1"}}  ← is inside a wrapper; send its fields directly: this tool runs only if its arguments need no inference`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"id":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"]}`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    call: ['delete_user', '[{"id": "u1"}]'],
    first: [
      'Parameter validation failed:',
      '1. Root object expected object, got array',
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
[{"id":"u1"}]  ← expected object, got array`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"id":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"]}`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    call: ['delete_user', '{"id": "u1", "age": null}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got null",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": "u1"
  "age": null  ← expected integer, got null
}`,
    ],
    third: [
      `What the schema says:
age: {"type":"integer"}`,
      `Example of a call to delete_user:
{"id":"u1"}`,
    ],
  },
  {
    guard: true,
    call: ['delete_user', ''],
    first: [
      'Parameter validation failed:',
      "1. Field 'id' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
id (required): {"type":"string"}`,
      `Example of a call to delete_user:
{"id":"<id>"}`,
    ],
  },
  {
    guard: true,
    call: ['delete_user', '{"id": ["u1", "u2"]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'id' expected string, got array",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "id": ["u1","u2"]  ← expected string, got array
}`,
    ],
    third: [
      `What the schema says:
id (required): {"type":"string"}`,
      `Example of a call to delete_user:
{"id":"<id>"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": "12 years", "unit": "years"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": "12 years"  ← expected integer, got string
  "unit": "years"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","age":"<age: an integer>","unit":"years"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": "about 12", "unit": "years"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": "about 12"  ← expected integer, got string
  "unit": "years"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","age":"<age: an integer>","unit":"years"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": "twelve", "unit": "years"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": "twelve"  ← expected integer, got string
  "unit": "years"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","age":"<age: an integer>","unit":"years"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": 5.3, "unit": "years"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got number",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": 5.3  ← expected integer, got number
  "unit": "years"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","age":"<age: an integer>","unit":"years"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": 5, "unit": "weeks"}'],
    first: [
      'Parameter validation failed:',
      `1. Field 'unit' must be one of: years, months; got "weeks"`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": 5
  "unit": "weeks"  ← must be one of: years, months; got "weeks"
}`,
    ],
    third: [
      `What the schema says:
unit (required): {"enum":["years","months"]}`,
      `Example of a call to set_age:
{"name":"Bo","age":5,"unit":"<one of: years, months>"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": 5, "unit": null}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'unit' must be one of: years, months; got null",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": 5
  "unit": null  ← must be one of: years, months; got null
}`,
    ],
    third: [
      `What the schema says:
unit (required): {"enum":["years","months"]}`,
      `Example of a call to set_age:
{"name":"Bo","age":5,"unit":"<one of: years, months>"}`,
    ],
  },
  {
    guard: true,
    call: ['set_age', '{"name": "Bo", "age": 5}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'unit' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": 5
  "unit": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
unit (required): {"enum":["years","months"]}`,
      `Example of a call to set_age:
{"name":"Bo","age":5,"unit":"years"}`,
    ],
  },
  {
    guard: true,
    call: ['set_age', '{"name": "Bo", "unit": "months"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "unit": "months"
  "age": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","unit":"months","age":1}`,
    ],
  },
  {
    call: ['set_age', '{"age": true, "name": "Bo", "unit": "months"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got boolean",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "age": true  ← expected integer, got boolean
  "name": "Bo"
  "unit": "months"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"age":"<age: an integer>","name":"Bo","unit":"months"}`,
    ],
  },
  {
    guard: true,
    call: ['set_age', '{"name": ["Bo", "Al"], "age": 5, "unit": "months"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'name' expected string, got array",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": ["Bo","Al"]  ← expected string, got array
  "age": 5
  "unit": "months"
}`,
    ],
    third: [
      `What the schema says:
name (required): {"type":"string"}`,
      `Example of a call to set_age:
{"name":"<name>","age":5,"unit":"months"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": {"value": 5}, "unit": "months"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got object",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": {"value":5}  ← expected integer, got object
  "unit": "months"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","age":"<age: an integer>","unit":"months"}`,
    ],
  },
  {
    guard: true,
    call: ['set_age', {}],
    first: [
      'Parameter validation failed:',
      `1. Field 'name' is required but missing
2. Field 'age' is required but missing
3. Field 'unit' is required but missing`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": (missing)  ← is required but missing
  "age": (missing)  ← is required but missing
  "unit": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
name (required): {"type":"string"}
age (required): {"type":"integer"}
unit (required): {"enum":["years","months"]}`,
      `Example of a call to set_age:
{"name":"<name>","age":1,"unit":"years"}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "mode": "approximate"}'],
    first: [
      'Parameter validation failed:',
      `1. Field 'mode' must be one of: exact, fuzzy, regex; got "approximate"`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "mode": "approximate"  ← must be one of: exact, fuzzy, regex; got "approximate"
}`,
    ],
    third: [
      `What the schema says:
mode: {"enum":["exact","fuzzy","regex"]}`,
      `Example of a call to search:
{"query":"ab","mode":"<one of: exact, fuzzy, regex>"}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "mode": 1}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'mode' must be one of: exact, fuzzy, regex; got 1",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "mode": 1  ← must be one of: exact, fuzzy, regex; got 1
}`,
    ],
    third: [
      `What the schema says:
mode: {"enum":["exact","fuzzy","regex"]}`,
      `Example of a call to search:
{"query":"ab","mode":"<one of: exact, fuzzy, regex>"}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "mode": ["exact", "fuzzy"]}'],
    first: [
      'Parameter validation failed:',
      `1. Field 'mode' must be one of: exact, fuzzy, regex; got ["exact","fuzzy"]`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "mode": ["exact","fuzzy"]  ← must be one of: exact, fuzzy, regex; got ["exact","fuzzy"]
}`,
    ],
    third: [
      `What the schema says:
mode: {"enum":["exact","fuzzy","regex"]}`,
      `Example of a call to search:
{"query":"ab","mode":"<one of: exact, fuzzy, regex>"}`,
    ],
  },
  {
    guard: true,
    call: ['search', '{"query": "a"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'query' must be at least 2 characters, got 1",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "a"  ← must be at least 2 characters, got 1
}`,
    ],
    third: [
      `What the schema says:
query (required): {"type":"string","minLength":2}`,
      `Example of a call to search:
{"query":"<query>"}`,
    ],
  },
  {
    guard: true,
    call: ['search', '{"query": "ab", "tags": ["a", "b", "c", "d"]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'tags' must have at most 3 items, got 4",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "tags": ["a","b","c","d"]  ← must have at most 3 items, got 4
}`,
    ],
    third: [
      `What the schema says:
tags: {"type":"array","items":{"type":"string"},"maxItems":3,"uniqueItems":true}`,
      `Example of a call to search:
{"query":"ab","tags":["a","b","c"]}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "tags": ["a", "b", "a"]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'tags' must have unique items; items 0 and 2 are equal",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "tags": ["a","b","a"]  ← must have unique items; items 0 and 2 are equal
}`,
    ],
    third: [
      `What the schema says:
tags: {"type":"array","items":{"type":"string"},"maxItems":3,"uniqueItems":true}`,
      `Example of a call to search:
{"query":"ab","tags":["a","b"]}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "options": {"deep": "maybe"}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'options.deep' expected boolean, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "options": {
    "deep": "maybe"  ← expected boolean, got string
  }
}`,
    ],
    third: [
      `What the schema says:
options.deep: {"type":"boolean"}`,
      `Example of a call to search:
{"query":"ab","options":{"deep":"<deep: a boolean>"}}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "options": {"most": "a few"}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'options.most' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "options": {
    "most": "a few"  ← expected integer, got string
  }
}`,
    ],
    third: [
      `What the schema says:
options.most: {"type":"integer"}`,
      `Example of a call to search:
{"query":"ab","options":{"most":"<most: an integer>"}}`,
    ],
  },
  {
    call: ['search', '{"query": "ab", "options": {"depp": true}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'options.depp' is not known; did you mean 'deep'?",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "options": {
    "depp": true  ← is not known; did you mean 'deep'?
  }
}`,
    ],
    third: [
      `What the schema says:
options: fields deep, most`,
      `Example of a call to search:
{"query":"ab","options":{"deep":true}}`,
    ],
  },
  {
    guard: true,
    call: ['search', '{"query": "ab", "options": "deep"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'options' expected object, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "options": "deep"  ← expected object, got string
}`,
    ],
    third: [
      `What the schema says:
options: {"type":"object","properties":{"deep":{"type":"boolean"},"most":{"type":"integer"}},"additionalProperties":false}`,
      `Example of a call to search:
{"query":"ab","options":{}}`,
    ],
  },
  {
    guard: true,
    call: ['search', '{"query": "ab", "options": [1, 2]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'options' expected object, got array",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "query": "ab"
  "options": [1,2]  ← expected object, got array
}`,
    ],
    third: [
      `What the schema says:
options: {"type":"object","properties":{"deep":{"type":"boolean"},"most":{"type":"integer"}},"additionalProperties":false}`,
      `Example of a call to search:
{"query":"ab","options":{}}`,
    ],
  },
  {
    guard: true,
    call: ['search', '{"mode": "exact"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'query' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "mode": "exact"
  "query": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
query (required): {"type":"string","minLength":2}`,
      `Example of a call to search:
{"mode":"exact","query":"<query>"}`,
    ],
  },
  {
    call: ['search', '{"mode": "close", "tags": 5, "options": 7}'],
    first: [
      'Parameter validation failed:',
      `1. Field 'query' is required but missing
2. Field 'mode' must be one of: exact, fuzzy, regex; got "close"
3. Field 'options' expected object, got number`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "mode": "close"  ← must be one of: exact, fuzzy, regex; got "close"
  "tags": 5
  "options": 7  ← expected object, got number
  "query": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
query (required): {"type":"string","minLength":2}
mode: {"enum":["exact","fuzzy","regex"]}
options: {"type":"object","properties":{"deep":{"type":"boolean"},"most":{"type":"integer"}},"additionalProperties":false}`,
      `Example of a call to search:
{"mode":"<one of: exact, fuzzy, regex>","tags":["<tags>"],"options":{},"query":"<query>"}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"edits": []}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits' must have at least 1 items, got 0",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": []  ← must have at least 1 items, got 0
}`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"<path>","find":"<find>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"edits": [{"path": "a.ts"}]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits.0.find' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": [
    {
      "path": "a.ts"
      "find": (missing)  ← is required but missing
    }
  ]
}`,
    ],
    third: [
      `What the schema says:
edits[].find (required): {"type":"string"}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"<find>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"edits": [{"path": "a.ts", "find": "x"}, {"find": "y"}]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits.1.path' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": [
    … 1 item
    {
      "find": "y"
      "path": (missing)  ← is required but missing
    }
  ]
}`,
    ],
    third: [
      `What the schema says:
edits[].path (required): {"type":"string"}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"x"},{"find":"y","path":"<path>"}]}`,
    ],
  },
  {
    call: ['multi_edit', '{"edits": [{"path": "a.ts", "find": "x", "line": "two"}]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits.0.line' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": [
    {
      "path": "a.ts"
      "find": "x"
      "line": "two"  ← expected integer, got string
    }
  ]
}`,
    ],
    third: [
      `What the schema says:
edits[].line: {"type":"integer"}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"x","line":"<line: an integer>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"edits": [{"find": "x"}, {"find": "y"}, {"find": "z"}]}'],
    first: [
      'Parameter validation failed:',
      `1. Field 'edits.0.path' is required but missing
2. Field 'edits.1.path' is required but missing
3. Field 'edits.2.path' is required but missing`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": [
    {
      "find": "x"
      "path": (missing)  ← is required but missing
    }
    {
      "find": "y"
      "path": (missing)  ← is required but missing
    }
    {
      "find": "z"
      "path": (missing)  ← is required but missing
    }
  ]
}`,
    ],
    third: [
      `What the schema says:
edits[].path (required): {"type":"string"}`,
      `Example of a call to multi_edit:
{"edits":[{"find":"x","path":"<path>"},{"find":"y","path":"<path>"},{"find":"z","path":"<path>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"edits": "a.ts"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits' expected array, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": "a.ts"  ← expected array, got string
}`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"<path>","find":"<find>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"edits": null}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits' expected array, got null",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": null  ← expected array, got null
}`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"<path>","find":"<find>"}]}`,
    ],
  },
  {
    call: ['multi_edit', '{"edits": {"path": "a.ts"}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits' expected array, got object",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "edits": {"path":"a.ts"}  ← expected array, got object
}`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"edits":[{"path":"a.ts","find":"<find>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['multi_edit', '{"path": "a.ts", "find": "x"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'edits' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "find": "x"
  "edits": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
edits (required): {"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"find":{"type":"string"}},"required":["path","find"]}}`,
      `Example of a call to multi_edit:
{"path":"a.ts","find":"x","edits":[{"path":"<path>","find":"<find>"}]}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '{"path": "a.ts", "path": "b.ts"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'path' is given twice with different values",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"  ← is given twice with different values
}`,
    ],
    third: [
      `What the schema says:
path (required): {"type":"string"}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '{"path": "a.ts", "limit": 0}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'limit' must be at least 1, got 0",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "limit": 0  ← must be at least 1, got 0
}`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts","limit":1}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts", "limit": 5000}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'limit' must be at most 2000, got 5000",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "limit": 5000  ← must be at most 2000, got 5000
}`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts","limit":2000}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts", "limit": 2.5}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'limit' expected integer, got number",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "limit": 2.5  ← expected integer, got number
}`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts","limit":"<limit: an integer>"}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts", "limit": "all"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'limit' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "limit": "all"  ← expected integer, got string
}`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts","limit":"<limit: an integer>"}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts", "limit": [10]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'limit' expected integer, got array",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "limit": [10]  ← expected integer, got array
}`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts","limit":"<limit: an integer>"}`,
    ],
  },
  {
    call: ['read_file', '{"path": "a.ts", "limit": 12345678901234567890}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'limit' is an integer too large to represent exactly (12345678901234567890)",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "limit": "12345678901234567890"  ← is an integer too large to represent exactly (12345678901234567890)
}`,
    ],
    third: [
      `What the schema says:
limit: {"type":"integer","minimum":1,"maximum":2000}`,
      `Example of a call to read_file:
{"path":"a.ts","limit":"<limit: an integer>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '{"path": }'],
    first: [
      'Parameter validation failed:',
      `1. Field 'path' has no value, near "}"`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": (missing)  ← has no value, near "}"
}`,
    ],
    third: [
      `What the schema says:
path (required): {"type":"string"}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', 'the file a.ts'],
    first: [
      'Parameter validation failed:',
      '1. Root object expected a JSON object, got text that holds none',
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
"the file a.ts"  ← expected a JSON object, got text that holds none`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"]}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '[]'],
    first: [
      'Parameter validation failed:',
      '1. Root object expected object, got array',
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
[]  ← expected object, got array`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"]}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '5'],
    first: [
      'Parameter validation failed:',
      '1. Root object expected object, got number',
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
5  ← expected object, got number`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"]}`,
      `Example of a call to read_file:
{"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', { limit: 3 }],
    first: [
      'Parameter validation failed:',
      "1. Field 'path' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "limit": 3
  "path": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
path (required): {"type":"string"}`,
      `Example of a call to read_file:
{"limit":3,"path":"<path>"}`,
    ],
  },
  {
    guard: true,
    call: ['read_file', '{"path": "a.ts"} {"path": "b.ts"}'],
    first: [
      'Parameter validation failed:',
      '1. Root object is given twice with different contents; send one call for each',
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{"path":"a.ts"}  ← is given twice with different contents; send one call for each`,
    ],
    third: [
      `What the schema says:
Root object: {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"]}`,
      `Example of a call to read_file:
{"path":"a.ts"}`,
    ],
  },
  {
    call: ['write_file', '{"pth": "a.ts", "content": "x"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'pth' is not known; did you mean 'path'?",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "pth": "a.ts"  ← is not known; did you mean 'path'?
  "content": "x"
}`,
    ],
    third: [
      `What the schema says:
Root object: fields path, content`,
      `Example of a call to write_file:
{"content":"x","path":"a.ts"}`,
    ],
  },
  {
    guard: true,
    call: ['write_file', '{"path": "a.ts"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'content' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "content": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
content (required): {"type":"string"}`,
      `Example of a call to write_file:
{"path":"a.ts","content":"<content>"}`,
    ],
  },
  {
    guard: true,
    call: ['write_file', '{"path": {"name": "a.ts"}, "content": "x"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'path' expected string, got object",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": {"name":"a.ts"}  ← expected string, got object
  "content": "x"
}`,
    ],
    third: [
      `What the schema says:
path (required): {"type":"string"}`,
      `Example of a call to write_file:
{"path":"<path>","content":"x"}`,
    ],
  },
  {
    call: ['send_mail', '{"to": "nobody"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'to' must be a valid email",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "to": "nobody"  ← must be a valid email
}`,
    ],
    third: [
      `What the schema says:
to (required): {"type":"string","format":"email"}`,
      `Example of a call to send_mail:
{"to":"<to: a valid email>"}`,
    ],
  },
  {
    guard: true,
    call: ['send_mail', '{"to": "a@b.de", "day": "tomorrow"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'day' must match pattern: ^\\d{4}-\\d{2}$",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "to": "a@b.de"
  "day": "tomorrow"  ← must match pattern: ^\\d{4}-\\d{2}$
}`,
    ],
    third: [
      `What the schema says:
day: {"type":"string","pattern":"^\\\\d{4}-\\\\d{2}$"}`,
      `Example of a call to send_mail:
{"to":"a@b.de","day":"<day matching ^\\\\d{4}-\\\\d{2}$>"}`,
    ],
  },
  {
    call: ['send_mail', '{"to": "a@b.de", "price": 7}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'price' must be a multiple of 5, got 7",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "to": "a@b.de"
  "price": 7  ← must be a multiple of 5, got 7
}`,
    ],
    third: [
      `What the schema says:
price: {"type":"number","multipleOf":5}`,
      `Example of a call to send_mail:
{"to":"a@b.de","price":"<price: a number>"}`,
    ],
  },
  {
    call: ['send_mail', '{"to": "a@b.de", "price": "about 10 euros"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'price' expected number, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "to": "a@b.de"
  "price": "about 10 euros"  ← expected number, got string
}`,
    ],
    third: [
      `What the schema says:
price: {"type":"number","multipleOf":5}`,
      `Example of a call to send_mail:
{"to":"a@b.de","price":"<price: a number>"}`,
    ],
  },
  {
    guard: true,
    call: ['draw', '{"shape": {"kind": "circle"}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'shape.r' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "shape": {
    "kind": "circle"
    "r": (missing)  ← is required but missing
  }
}`,
    ],
    third: [
      `What the schema says:
shape.r: {"type":"number"}`,
      `Example of a call to draw:
{"shape":{"kind":"circle","r":1}}`,
    ],
  },
  {
    call: ['draw', '{"shape": {"kind": "star", "r": 1}}'],
    first: [
      'Parameter validation failed:',
      `1. Field 'shape.kind' must be one of: circle, box; got "star"`,
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "shape": {
    "kind": "star"  ← must be one of: circle, box; got "star"
    "r": 1
  }
}`,
    ],
    third: [
      `What the schema says:
shape.kind: one of: circle, box`,
      `Example of a call to draw:
{"shape":{"kind":"<one of: circle, box>","r":1}}`,
    ],
  },
  {
    guard: true,
    call: ['draw', '{"shape": "circle"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'shape' expected object, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "shape": "circle"  ← expected object, got string
}`,
    ],
    third: [
      `What the schema says:
shape (required): {"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},{"type":"object","properties":{"kind":{"const":"box"},"w":{"type":"number"}},"required":["kind","w"]}]}`,
      `Example of a call to draw:
{"shape":{"kind":"circle","r":1}}`,
    ],
  },
  {
    call: ['draw', '{"shape": {"kind": "box", "w": "wide"}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'shape.w' expected number, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "shape": {
    "kind": "box"
    "w": "wide"  ← expected number, got string
  }
}`,
    ],
    third: [
      `What the schema says:
shape.w: {"type":"number"}`,
      `Example of a call to draw:
{"shape":{"kind":"box","w":"<w: a number>"}}`,
    ],
  },
  {
    guard: true,
    call: ['launch', '{}'],
    first: [
      "Tool 'launch' does not exist. Available tools: read_file, write_file, delete_user, search, set_age, multi_edit, send_mail, draw",
      'Please call one of the available tools by its exact name.',
    ],
    second: [],
    third: [],
  },
  {
    guard: true,
    call: ['open_document', '{"path": "a.ts"}'],
    first: [
      "Tool 'open_document' does not exist. Available tools: read_file, write_file, delete_user, search, set_age, multi_edit, send_mail, draw",
      'Please call one of the available tools by its exact name.',
    ],
    second: [],
    third: [],
  },
  {
    guard: true,
    call: ['write_file', '{"path": "a.ts", "content": ["x", "y"]}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'content' expected string, got array",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "path": "a.ts"
  "content": ["x","y"]  ← expected string, got array
}`,
    ],
    third: [
      `What the schema says:
content (required): {"type":"string"}`,
      `Example of a call to write_file:
{"path":"a.ts","content":"<content>"}`,
    ],
  },
  {
    call: ['set_age', '{"name": "Bo", "age": "5 or 6", "unit": "years"}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'age' expected integer, got string",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "name": "Bo"
  "age": "5 or 6"  ← expected integer, got string
  "unit": "years"
}`,
    ],
    third: [
      `What the schema says:
age (required): {"type":"integer"}`,
      `Example of a call to set_age:
{"name":"Bo","age":"<age: an integer>","unit":"years"}`,
    ],
  },
  {
    guard: true,
    call: ['draw', '{"shape": {"kind": "box", "w": null}}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'shape.w' expected number, got null",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "shape": {
    "kind": "box"
    "w": null  ← expected number, got null
  }
}`,
    ],
    third: [
      `What the schema says:
shape.w: {"type":"number"}`,
      `Example of a call to draw:
{"shape":{"kind":"box","w":1}}`,
    ],
  },
  {
    guard: true,
    call: ['draw', '{}'],
    first: [
      'Parameter validation failed:',
      "1. Field 'shape' is required but missing",
      'Please fix the parameters and try again.',
    ],
    second: [
      `The arguments as received:
{
  "shape": (missing)  ← is required but missing
}`,
    ],
    third: [
      `What the schema says:
shape (required): {"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},{"type":"object","properties":{"kind":{"const":"box"},"w":{"type":"number"}},"required":["kind","w"]}]}`,
      `Example of a call to draw:
{"shape":{"kind":"circle","r":1}}`,
    ],
  },
];
