import { describe, expect, it } from 'vitest';
import { colour } from '../terminal/colour.ts';
import { showFaults } from './command.ts';

const fault = {
  file: 'tools.json',
  line: 7,
  column: 3,
  tool: 'read_file',
  field: 'parameters.properties.limit.type',
  message: "'parameters.properties.limit' has no type",
  fix: 'Add a type, or one of enum, const',
};

describe('showFaults', () => {
  it('S3.3 is one line for each fault in a pipe', () => {
    expect(showFaults([fault], 1, colour({}, {}))).toBe(
      "tools.json:7:3  parameters.properties.limit.type  'parameters.properties.limit' has no type — Add a type, or one of enum, const\n1 tool, 1 fault\n",
    );
  });

  it('S3.3 is a paragraph for each fault on a terminal, within its width', () => {
    expect(showFaults([fault], 2, colour({}, {}), 40)).toBe(`tools.json:7:3  read_file
  parameters.properties.limit.type
  'parameters.properties.limit' has no
  type
  Add a type, or one of enum, const

2 tools, 1 fault
`);
  });

  it('F24 shows no control character of a stranger’s file', () => {
    const shown = showFaults([{ ...fault, tool: '\u001b[2J', message: '\u0007' }], 1, colour({}, {}), 80);
    expect(shown).not.toContain('\u001b');
    expect(shown).not.toContain('\u0007');
  });
});
