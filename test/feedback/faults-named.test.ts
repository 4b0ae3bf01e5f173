/** S1.5 The true fault, in its container, once, with an example of what the model sent. */
import { describe, expect, it } from 'vitest';
import { feedback } from '../../src/mend/feedback/feedback.ts';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const form = (kind: string, field: string) => ({
  type: 'object',
  required: ['kind', field],
  additionalProperties: false,
  properties: { kind: { const: kind }, [field]: text },
});
const toolbox = new Toolbox([
  tool({
    name: 'book',
    description: 'Books a flight',
    effect: 'write',
    inputSchema: {
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: { from: text, to: text, seats: { type: 'array', items: { type: 'integer' } } },
    },
  }),
  tool({
    name: 'notify',
    description: 'Notifies',
    effect: 'write',
    inputSchema: {
      type: 'object',
      required: ['target'],
      additionalProperties: false,
      properties: { target: { oneOf: [form('email', 'address'), form('sms', 'number'), form('push', 'device')] } },
    },
  }),
]);

interface Row {
  readonly call: readonly [name: string, args: string];
  /** The faults, each once and no other. */
  readonly faults: readonly string[];
  readonly schema?: string;
  readonly example?: string;
}

const rows: readonly Row[] = [
  {
    call: ['book', '{"flight": {"from": "ZRH", "to": "LIS"}}'],
    faults: [
      "Field 'flight' is not known, but 'from', 'to' are inside it. Send 'from', 'to' directly, not inside 'flight'",
    ],
    example: '{"from":"ZRH","to":"LIS"}',
  },
  {
    call: ['book', '{"from": "ZRH", "trip": {"to": "LIS"}}'],
    faults: ["Field 'trip' is not known, but 'to' is inside it. Send 'to' directly, not inside 'trip'"],
    example: '{"from":"ZRH","to":"LIS"}',
  },
  {
    call: ['book', '{"from": "ZRH", "to": "LIS", "seats": [1,,2]}'],
    faults: [`Field 'seats' has nothing between two commas, near ",2]}"`],
  },
  {
    call: ['notify', '{"target": {"kind": "fax", "number": "1"}}'],
    faults: [`Field 'target.kind' must be one of: email, sms, push; got "fax"`],
    schema: 'target.kind: one of: email, sms, push',
    example: '{"target":{"kind":"<one of: email, sms, push>","number":"1"}}',
  },
  {
    call: ['notify', '{"target": {"kind": "phone", "device": "d7"}}'],
    faults: [`Field 'target.kind' must be one of: email, sms, push; got "phone"`],
    schema: 'target.kind: one of: email, sms, push',
    example: '{"target":{"kind":"<one of: email, sms, push>","device":"d7"}}',
  },
];

describe('S1.5 the true fault', () => {
  it.each(rows.map((row) => [row.call.join(' '), row] as const))('%s', (_, { call, faults, schema, example }) => {
    const [name, args] = call;
    const outcome = mend({ name, arguments: args }, toolbox);
    if (outcome.status !== 'invalid') throw new Error('it ran');
    const third = feedback(outcome, { attempt: 3, toolbox }).text;
    expect([...third.matchAll(/^\d+\. (.*)$/gm)].map(([, line]) => line)).toEqual(faults);
    if (schema) expect(third).toContain(`What the schema says:\n${schema}`);
    if (example) expect(third).toContain(`\n${example}\n`);
  });
});
