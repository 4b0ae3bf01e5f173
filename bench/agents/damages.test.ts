import { describe, expect, it } from 'vitest';
import { damages, otherCase, python, type ToolCall } from './damages.ts';

const call: ToolCall = { name: 'run_it', args: { command: `say "it's"`, timeout: 5, quiet: false, paths: ['a', 'b'] } };
const written = (name: string): string => {
  const result = damages.find((one) => one.name === name)?.write(call);
  if (!result) throw new Error(`There is no damage ${name}`);
  return 'text' in result ? result.text : `${result.name} ${result.args}`;
};

it('there are 13, each with a name of its own', () => {
  expect(damages).toHaveLength(13);
  expect(new Set(damages.map(({ name }) => name)).size).toBe(13);
});

it.each([
  ['comma', `run_it {"command":"say \\"it's\\"","timeout":5,"quiet":false,"paths":["a","b"], }`],
  ['python', `run_it {'command': 'say "it\\'s"', 'timeout': 5, 'quiet': False, 'paths': ['a', 'b']}`],
  ['scalars', `run_it {"command":"say \\"it's\\"","timeout":"5","quiet":"false","paths":["a","b"]}`],
  ['list', `run_it {"command":"say \\"it's\\"","timeout":5,"quiet":false,"paths":"['a', 'b']"}`],
  ['name', `runIt {"command":"say \\"it's\\"","timeout":5,"quiet":false,"paths":["a","b"]}`],
  ['keys', `run_it {"Command":"say \\"it's\\"","Timeout":5,"Quiet":false,"Paths":["a","b"]}`],
  ['brace', `run_it {"command":"say \\"it's\\"","timeout":5,"quiet":false,"paths":["a","b"]`],
])('%s', (name, expected) => {
  expect(written(name)).toBe(expected);
});

it('every damage of arguments makes them differ from the sound ones', () => {
  const soundText = `${call.name} ${JSON.stringify(call.args)}`;
  for (const { name } of damages) expect(written(name)).not.toBe(soundText);
});

describe('python', () => {
  it.each([
    [null, 'None'],
    [true, 'True'],
    ["it's", `"it's"`],
    [`"it's"`, `'"it\\'s"'`],
    ['a\\b\n', `'a\\\\b\\n'`],
    [{ a: [1, false] }, `{'a': [1, False]}`],
  ])('%j', (value, expected) => {
    expect(python(value)).toBe(expected);
  });
});

it.each([
  ['bash', 'Bash'],
  ['Bash', 'bash'],
  ['run_shell_command', 'runShellCommand'],
])('otherCase %s: %s', (name, expected) => {
  expect(otherCase(name)).toBe(expected);
});
