import { claimOf, type Problem } from '../../json/problem.ts';
import { checkArgument } from '../../json/value.ts';
import type { Schema } from '../../schema/schema.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { endedByLength } from '../finish-reason.ts';
import { noteOf } from '../mend.ts';
import { type BadOutcome, type BadValue, type ErrorType, isRetryable } from '../outcome.ts';
import { preview, shorten } from '../preview.ts';
import { annotate } from './annotate.ts';
import { condensed, exampleOf } from './example.ts';
import { recommend } from './recommendations.ts';
import { distinct, faultsOf, schemaPart, suggested } from './wording.ts';

/** A failure as a structured tool result. */
export interface FailedResult {
  readonly ok: false;
  readonly error: string;
  readonly errorType: ErrorType;
  readonly retryable: boolean;
  readonly recommendations: readonly string[];
  readonly data?: unknown;
  /** What was dropped. */
  readonly note?: string;
}

/** Feedback for the model about a call that didn't run, or a value that can't be used. */
export interface Feedback {
  /** The text for the model. */
  readonly text: string;
  /** Marks the tool result as an error for the provider. */
  readonly isError: true;
  /** The same as an object, with recommendations. */
  readonly result: FailedResult;
}

/** Options of the feedback. */
export interface FeedbackOptions {
  /**
   * Number of the failed attempt on this tool: 1 lists the problems, 2 marks them in place, 3 adds schema and example.
   */
  readonly attempt?: number;
  /** The toolbox, to list the available tools if the name is unknown. */
  readonly toolbox?: NamedTools | undefined;
}

/**
 * Creates feedback for the model about an invalid call or value: a text, and the same as a structured result.
 *
 * @example
 * const outcome = mend(call, toolbox);
 * if (outcome.status === 'invalid') send(feedback(outcome, { attempt: 2 }).text);
 */
export function feedback(
  found: BadOutcome | BadValue,
  { attempt: tries = 1, toolbox }: FeedbackOptions = {},
): Feedback {
  checkArgument(found?.status === 'invalid', 'outcome', 'an invalid one', found);
  const outcome = refusalOf(found);
  const text = texts[outcome.errorType](outcome, tries, toolbox).filter(Boolean).join('\n\n');
  const note = noteOf(outcome.repairs);
  return {
    text,
    isError: true,
    result: {
      ok: false,
      error: text,
      errorType: outcome.errorType,
      retryable: isRetryable(outcome.errorType),
      recommendations: recommend(outcome.problems, outcome.schema?.json),
      ...(note === undefined ? {} : { note }),
    },
  };
}

const listSize = 4000;
const mostProblems = 50;
const mostMarked = 50;
const exampleSize = 1500;
const mostNames = 20;
const endShown = 120;

/** The part of a toolbox that the text needs. */
interface NamedTools {
  list(): readonly { readonly name: string }[];
}

/** A refused call or value. A value has no name. */
interface Refusal extends Pick<BadOutcome, 'errorType' | 'raw' | 'name' | 'input' | 'repairs' | 'problems'> {
  readonly schema: Schema | undefined;
}

function refusalOf(found: BadOutcome | BadValue): Refusal {
  const problems = distinct(found.problems);
  if ('name' in found) return { ...found, schema: found.tool?.schema, problems };
  return { ...found, name: '', raw: { name: '', arguments: found.raw, finishReason: found.finishReason }, problems };
}

type Writer = (outcome: Refusal, tries: number, tools: NamedTools | undefined) => readonly string[];

/** Paragraphs of the text by kind of failure. */
const texts: Readonly<Record<BadOutcome['errorType'], Writer>> = {
  validation: (outcome, tries) => [
    outcome.name ? 'Parameter validation failed:' : 'The output is not valid:',
    numbered(outcome.problems),
    ...(tries >= 2 ? [`The ${outcome.name ? 'arguments' : 'output'} as received:\n${marked(outcome)}`] : []),
    ...(tries >= 3 ? taught(outcome) : []),
    outcome.name
      ? 'Please fix the parameters and try again.'
      : 'Please fix it and send the complete output again, without any other text.',
  ],
  unknown_tool: (outcome, _, tools) => {
    const [problem] = outcome.problems;
    const said = problem?.message ?? `Tool '${shorten(String(outcome.name), 80)}' does not exist`;
    return [
      shorten(said, listSize),
      ...listed(problem, tools),
      'Please call one of the available tools by its exact name.',
    ];
  },
  truncated: (outcome, tries) => {
    const byLimit = endedByLength(outcome.raw.finishReason);
    const isUnclosed = !byLimit && outcome.problems.some(({ code, expected }) => code === 'truncated' && expected);
    const [fault, wish] = isUnclosed
      ? ['is not complete: closing brackets are missing', 'as a whole, up to its last closing bracket.']
      : [
          `was cut off ${byLimit ? 'by the output token limit ' : ''}before it was complete`,
          outcome.name
            ? `${byLimit ? '' : 'as a whole, or '}in smaller pieces${pieceSize(outcome)}: less text in one call, the rest in further calls.`
            : `as a whole${byLimit ? ', and shorter' : ''}.`,
        ];
    return [
      `${what(outcome)} ${fault}.${outcome.name ? ' Nothing was run.' : ''}`,
      numbered(outcome.problems),
      ...(tries >= 2 && !byLimit ? ending(outcome) : []),
      ...(tries >= 3 && !byLimit ? taught(outcome) : []),
      `Please send it again ${wish}`,
    ];
  },
};

/** A numbered list of the problems, up to about 4 KB. */
function numbered(problems: readonly Problem[]): string {
  const width = Math.min(1200, Math.max(160, Math.floor(listSize / Math.max(1, problems.length))));
  const lines: string[] = [];
  let size = 0;
  for (const problem of problems.slice(0, mostProblems)) {
    const line = `${lines.length + 1}. ${shorten(suggested(problem.message, problem), width)}`;
    size += line.length;
    if (size > listSize) break;
    lines.push(line);
  }
  const more = problems.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`].join('\n') : lines.join('\n');
}

function marked({ input, raw, problems }: Refusal): string {
  const [first] = problems;
  // Problems with the notation of the whole are only visible in the text.
  if (first?.code === 'not_exact' && first.path.length === 0 && typeof raw.arguments === 'string')
    return `${shorten(raw.arguments.trim(), 400)}  ← ${claimOf(first)}`;
  return annotate(input === undefined ? raw.arguments : input, problems.slice(0, mostMarked));
}

/** The relevant part of the schema, and an example of the call. */
function taught({ schema: checker, input: read, repairs, problems, name }: Refusal): string[] {
  // Uses the arguments inside a wrapper or a list.
  const inner = repairs.find(({ kind, path }) => path.length === 0 && (kind === 'wrapper' || kind === 'object'));
  const input = inner?.after ?? read;
  const schema = checker?.json;
  if (!checker || schema === undefined) return [];
  const part = schemaPart(schema, problems);
  let example: unknown;
  for (const soFar of [input, condensed(input), undefined]) {
    const made = exampleCall(checker, schema, soFar, problems);
    if (!fits(made)) continue;
    example = made;
    break;
  }
  return [
    ...(part ? [`What the schema says:\n${part}`] : []),
    ...(example === undefined
      ? []
      : [`Example of ${name ? `a call to ${name}` : 'the output'}:\n${JSON.stringify(example)}`]),
  ];
}

/** An example that keeps what was sent correctly, including values that only coercion would accept. */
function exampleCall(checker: Schema, schema: JsonSchema, soFar: unknown, problems: readonly Problem[]): unknown {
  const example = exampleOf(schema, soFar, faultsOf(problems));
  const checked = checker.check(example);
  return checked.ok ? example : exampleOf(schema, soFar, faultsOf([...problems, ...checked.problems]));
}

function fits(example: unknown): boolean {
  try {
    return (JSON.stringify(example) ?? '').length <= exampleSize;
  } catch {
    return false;
  }
}

function listed({ expected, meant }: Partial<Problem> = {}, tools?: NamedTools): string[] {
  if (!tools) return [];
  const names = tools.list().map(({ name }) => name);
  if (names.length === 0) return ['No tools are available.'];
  // With `expected`, the message already lists the tools.
  if (names.length > mostNames || expected || names.every((name) => meant?.includes(name))) return [];
  return [shorten(`Available tools: ${names.join(', ')}`, 1200)];
}

/** Structured output has no tool name. */
const what = ({ name }: Refusal): string => (name ? `The call to '${shorten(String(name), 80)}'` : 'The output');

/** The end of a truncated text, and what is missing. */
function ending({ raw, name, problems }: Refusal): string[] {
  if (typeof raw.arguments !== 'string' || raw.arguments === '') return [];
  const text = raw.arguments.trimEnd();
  const missing = problems.find(({ code }) => code === 'truncated')?.expected;
  const end = text.length > endShown ? `…${text.slice(-endShown)}` : text;
  return [
    `The ${name ? 'arguments' : 'output'} as received ${name ? 'end' : 'ends'} here:\n${end}  ← ${missing ? `${missing} is missing` : 'the text ends'}`,
  ];
}

/** Suggests half the length of the truncated text. Nothing for short texts, where something else used up the limit. */
function pieceSize({ raw }: Refusal): string {
  const length = typeof raw.arguments === 'string' ? raw.arguments.length : 0;
  if (length < 1000) return '';
  const half = Math.floor(length / 2);
  const scale = 10 ** Math.floor(Math.log10(half));
  return ` (it broke off after ${length} characters; keep each call under about ${Math.floor(half / scale) * scale})`;
}

/**
 * The message for a model whose response was empty, or whose call has no name.
 *
 * @param names the available tools, if the model made a call without naming one
 */
export const nudge = (names?: readonly string[]): string =>
  names
    ? `The last call named no tool. The tools are: ${names.join(', ')}. Call one of them by its name, or answer in words.`
    : 'The last answer was empty. Answer in words, or call a tool.';

/** Options of the retry guidance. */
interface RetryGuidanceOptions {
  /**
   * Number of attempts before asking the user.
   * @default 3
   */
  readonly attempts?: number;
}

/**
 * Text for a system prompt on how to handle a refused call.
 *
 * @example const system = `${instructions}\n\n${retryGuidance()}`;
 */
export const retryGuidance = ({ attempts: tries = 3 }: RetryGuidanceOptions = {}): string => `When a tool call fails:
1. Read the error ("error", "receivedArgs"): it lists each wrong or missing parameter.
2. Fix exactly those parameters and keep the rest.
3. Retry the call. Do not give up or ask the user before ${tries} tries, and never repeat the same call unchanged unless the error says it is retryable.

Example:
call read_file {}
error "1. Field 'path' is required but missing"
call read_file {"path": "src/app.ts"}`;

/** Input of the tool named `invalid` for a failed call. */
interface InvalidPayload {
  readonly tool: string;
  readonly error: string;
  readonly receivedArgs: unknown;
}

const unreadable = 2000;

/** The payload for the `invalid` tool. Always valid JSON, and `tool` is always a string. */
export function invalidPayload(outcome: BadOutcome): InvalidPayload {
  const name: unknown = outcome.name || outcome.raw.name;
  return {
    tool: typeof name === 'string' && name !== '' ? name : 'unknown',
    error: feedback(outcome).text,
    receivedArgs: asJson(outcome.input === undefined ? outcome.raw.arguments : outcome.input),
  };
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null));
  } catch {
    // For a cycle, a BigInt or endless depth, a preview is better than a second failure.
    return preview(value, unreadable);
  }
}
