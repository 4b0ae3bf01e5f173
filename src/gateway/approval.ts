import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { isObject } from '../json/value.ts';
import type { Decision } from '../log/decision.ts';
import type { ApprovalRequested } from '../log/event.ts';
import { effectWords, shownArguments, visible } from '../log/shown-arguments.ts';
import type { Wire } from './wire.ts';

const key = 'toolmend_approval';

/** Whether a person can be asked through the client. */
export const canElicit = ({ elicitation }: ClientCapabilities): boolean =>
  // Clients of before there were kinds of questions say no kind.
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/**
 * The question whether a call may run, as what the client must answer before it goes on.
 *
 * @param options.always whether a person may say so for all calls of this kind
 */
export function askApproval(
  { name, input, effect, reason }: Pick<ApprovalRequested, 'name' | 'input' | 'effect' | 'reason'>,
  { always }: { readonly always: boolean },
): Wire {
  const answers = ['once', ...(always ? ['always'] : []), 'no'];
  const head = `${effectWords[effect]}: may ${visible(name)} run? It is asked because ${visible(reason)}.`;
  const params = {
    mode: 'form',
    message: `${head}\n\n${shownArguments(input)}`,
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: 'May it run?', enum: answers, default: 'no' },
      },
      required: ['answer'],
    },
  };
  return { [key]: { method: 'elicitation/create', params } };
}

/** What a person said to it; undefined where nobody was asked. */
export function decisionIn(answers: Wire | undefined): Decision | undefined {
  const said = answers?.[key];
  if (!isObject(said)) return undefined;
  const answer = said.action === 'accept' && isObject(said.content) ? said.content.answer : 'no';
  if (answer === 'once' || answer === 'always') return { type: 'allow', always: answer === 'always', by: 'the user' };
  return { type: 'deny', reason: 'The user said no', by: 'the user' };
}

/** The answers that are for the server. */
export function answersBeside(answers: Wire | undefined): Wire | undefined {
  if (!answers || !(key in answers)) return answers;
  const { [key]: _, ...rest } = answers;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
