import { describe, expect, it } from 'vitest';
import { answered } from '../../../test/provider/collect.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { mend } from '../../mend/mend.ts';
import type { Message } from '../../model/index.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { demos } from './demos.ts';
import { scripted } from './scripted.ts';

/** How each conversation goes when what it is told is the feedback, call by call. */
const courses: Readonly<Record<string, readonly string[]>> = {
  mended: ['mended'],
  corrected: ['invalid validation', 'ok'],
  truncated: ['invalid truncated', 'ok'],
  unknown: ['invalid unknown_tool', 'ok'],
};

describe('the conversations to show', () => {
  it.each(demos)('$name', async ({ name, tools, question, script }) => {
    const toolbox = new Toolbox(
      tools.map(({ name: named, description = '', schema }) =>
        tool({ name: named, description, ...(schema !== undefined && { inputSchema: schema }) }),
      ),
    );
    const model = scripted(script);
    const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: question }] }];
    const course: string[] = [];
    for (let turns = 0; turns < 5; turns += 1) {
      const { message, finish } = await answered(model, { messages, tools });
      messages.push(message);
      const [call] = message.parts.filter((part) => part.type === 'call');
      if (!call) break;
      const outcome = mend({ name: call.name, arguments: call.arguments, finishReason: finish }, toolbox);
      const bad = outcome.status === 'invalid';
      course.push(bad ? `invalid ${outcome.errorType}` : outcome.status);
      const text = bad ? feedback(outcome).text : 'done';
      messages.push({
        role: 'user',
        parts: [{ type: 'result', callId: call.id, content: [{ type: 'text', text }], isError: bad }],
      });
    }
    expect(course).toEqual(courses[name]);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ type: 'text' }] });
  });
});
