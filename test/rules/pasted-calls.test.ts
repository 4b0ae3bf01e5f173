import { describe, expect, it } from 'vitest';
import { closed, mendWith, string } from './mend-with.ts';

const fields = closed({ path: string, content: string, files: { type: 'array', items: string } });

describe('escapes in the double quotes of a Python call, which may be a pasted path or pattern', () => {
  it.each([
    [String.raw`act(path="D:\temp\build\release.zip")`],
    [String.raw`act(path="C:\new.txt", content="x")`],
    [String.raw`act(path="a", content="\bfoo\b")`],
    [String.raw`act(path="..\tools\run.ts")`],
    [String.raw`act(files=["C:\temp", "D:\new"])`],
  ])('%s is refused', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });

  it.each([
    [String.raw`act(path="C:\\temp")`, { path: 'C:\\temp' }],
    [String.raw`act(path="a", content="x\ty\nz")`, { path: 'a', content: 'x\ty\nz' }],
    [String.raw`act(content="see C: \nnow")`, { content: 'see C: \nnow' }],
  ])('guard: %s is read', (args, input) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input });
  });
});
