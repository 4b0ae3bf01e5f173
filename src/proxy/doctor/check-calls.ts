import { dialectOf } from '../../dialect/detect.ts';
import { toolPrompt } from '../../dialect/tool-prompt.ts';
import { isObject } from '../../json/value.ts';
import { mendValue } from '../../mend/mend-value.ts';
import type { Format, ModelRequest } from '../../model/index.ts';
import { excerpt } from '../../provider/client/endpoint.ts';
import { textModel } from '../../provider/text-model.ts';
import { type Advice, afterRefusal, afterText, type Case, proxySetting } from './advice.ts';
import { type Probe, type ProbedCall, probe, probedModel, readProbe } from './model-probe.ts';
import { prompts, responseSchema } from './prompts.ts';
import type { ServerFacts } from './server-facts.ts';
import type { CallMode, Check, Finding, ProbeTarget } from './types.ts';

/** The target, the API format and the callbacks. */
interface LookOptions {
  readonly patient: ProbeTarget;
  readonly wire: Format;
  readonly facts: ServerFacts;
  readonly onCheck: (check: Check) => void;
  readonly note: (finding: Finding) => void;
}

/** The checks that send prompts to the model, in one API format. */
export class CallChecks {
  dialect: string | undefined;
  readonly #options: LookOptions;

  constructor(options: LookOptions) {
    this.#options = options;
    const { template } = options.facts;
    this.dialect = template && dialectOf(template.text);
  }

  get #about(): Case {
    return { kind: this.#options.facts.kind, root: this.#options.patient.root, dialect: this.dialect };
  }

  #ask(check: Check, question: ModelRequest, stream = false): Promise<Probe> {
    this.#options.onCheck(check);
    return probe(probedModel(this.#options.patient, this.#options.wire, stream), question);
  }

  /** Whether the model responds at all. */
  async answers(): Promise<boolean> {
    const { response, error } = await this.#ask('answer', prompts.answer);
    const text = textOf({ response });
    if (error) this.#options.note({ check: 'answer', verdict: 'bad', said: error.message });
    else if (text === '')
      this.#options.note({
        check: 'answer',
        verdict: 'fair',
        said: `empty response; finish reason: ${response.finish}`,
      });
    else this.#options.note({ check: 'answer', verdict: 'good', said: excerpt(text, 40) });
    return error === undefined;
  }

  /** How tools can be called. */
  async calls(): Promise<CallMode> {
    const whole = readProbe(await this.#ask('call', prompts.call), prompts.call);
    await this.#learnDialect(whole);
    this.#options.note(callFinding('call', whole, this.#about, 'native call received'));
    if (whole.way === 'native') await this.#nativeCalls();
    const way =
      whole.way === 'native'
        ? 'native'
        : whole.way === 'text' || whole.way === 'unread'
          ? 'text'
          : await this.#inText();
    if (way === 'native' && this.dialect !== undefined) this.#noteTemplate();
    await this.#output();
    return way;
  }

  /**
   * If the server needs a setting for tools, detects the model's dialect from what it writes with `toolChoice: 'none'`.
   */
  async #learnDialect(whole: ProbedCall): Promise<void> {
    if (whole.way === 'text') this.dialect ??= whole.dialect;
    if (this.dialect !== undefined || whole.way !== 'refused') return;
    const free = { ...prompts.call, toolChoice: 'none' } as const;
    const written = readProbe(await this.#ask('text', free), free);
    if (written.way === 'text') this.dialect = written.dialect;
  }

  async #nativeCalls(): Promise<void> {
    const streamed = await this.#ask('stream', prompts.call, true);
    const pieces = streamed.pieces > 1 ? `in ${streamed.pieces} chunks` : 'in one chunk';
    this.#options.note(
      callFinding('stream', readProbe(streamed, prompts.call), this.#about, `call received ${pieces}`),
    );
    const nested = readProbe(await this.#ask('nested', prompts.nested), prompts.nested);
    this.#options.note(callFinding('nested', nested, this.#about, 'list of objects and nested object received'));
    const untyped = readProbe(await this.#ask('untyped', prompts.untyped), prompts.untyped);
    this.#options.note(untypedFinding(untyped, this.#about));
    const several = readProbe(await this.#ask('parallel', prompts.parallel), prompts.parallel);
    const alone = several.way === 'native' && several.calls.length < 2;
    this.#options.note(
      alone
        ? {
            check: 'parallel',
            verdict: 'fair',
            said: 'received one call instead of two',
            advice: 'The model makes one call at a time, so tasks take more turns.',
          }
        : callFinding('parallel', several, this.#about, 'two calls received in one response'),
    );
    const { response, error } = await this.#ask('result', prompts.result);
    this.#options.note(
      error
        ? {
            check: 'result',
            verdict: 'bad',
            said: error.message,
            advice: 'The server rejects tool results. The chat template may not support them.',
          }
        : {
            check: 'result',
            verdict: 'good',
            said: `accepted; the model responded ${excerpt(textOf({ response }), 60)}`,
          },
    );
  }

  /** Whether calls in text work. */
  async #inText(): Promise<CallMode> {
    this.#options.onCheck('text');
    const { dialect } = this;
    // Prompts in the model's own dialect but reads any, because a small model may use another.
    const model = textModel(probedModel(this.#options.patient, this.#options.wire, false), {
      prompt: (tools) => toolPrompt(tools, dialect),
      prompted: true,
    });
    const read = readProbe(await probe(model, prompts.call), prompts.call);
    if (read.way !== 'native') {
      const said = 'said' in read ? read.said : read.way;
      this.#options.note({ check: 'text', verdict: 'bad', said: `no call in the text either: ${said}` });
      return 'none';
    }
    const from =
      dialect === undefined
        ? ''
        : `, prompted in ${dialect}${this.#options.facts.template ? `, the dialect of the chat template in ${this.#options.facts.template.where}` : ''}`;
    this.#options.note({
      check: 'text',
      verdict: 'good',
      said: `call received as text${from}`,
      ...proxySetting(this.#about),
    });
    return 'text';
  }

  #noteTemplate(): void {
    const { template } = this.#options.facts;
    if (template)
      this.#options.note({
        check: 'text',
        verdict: 'good',
        said: `not needed; the chat template in ${template.where} uses ${this.dialect}`,
      });
  }

  async #output(): Promise<void> {
    const { response, error } = await this.#ask('output', prompts.output);
    const check = 'output';
    if (error) {
      this.#options.note({
        check,
        verdict: 'fair',
        said: error.message,
        advice: 'Ask for JSON in the prompt, and parse it with mendValue.',
      });
      return;
    }
    const text = textOf({ response });
    const { status } = mendValue(text, responseSchema);
    const verdicts = { ok: 'good', mended: 'fair', invalid: 'fair' } as const;
    const words = {
      ok: 'the response matches the schema',
      mended: 'the response matches the schema after mending',
      invalid: 'the response does not match the schema',
    };
    this.#options.note({ check, verdict: verdicts[status], said: `${words[status]}: ${excerpt(text, 60)}` });
  }
}

const textOf = ({ response }: Pick<Probe, 'response'>): string =>
  response.message.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();

/** The finding of a request for a call. */
function callFinding(check: Check, probed: ProbedCall, about: Case, good: string): Finding {
  switch (probed.way) {
    case 'native':
      return nativeFinding(check, probed.calls, good);
    case 'text': {
      const known = { ...about, dialect: about.dialect ?? probed.dialect };
      return told(
        check,
        'bad',
        `the model wrote the call as text (${probed.dialect}): ${probed.said}`,
        afterText(known),
      );
    }
    case 'unread':
      return told(check, 'fair', probed.said, {
        ...proxySetting(about),
        advice: "The server could not parse its model's call. The proxy reads it from the error.",
      });
    case 'refused':
      return told(check, 'bad', probed.said, afterRefusal(probed.said, about));
    case 'cut':
      return told(check, 'open', 'the token limit was reached before a call', {
        advice: 'Try again with a higher --max-tokens.',
      });
    case 'none':
      return told(check, check === 'call' ? 'bad' : 'fair', `no call; the model responded ${probed.said}`, {
        advice: 'The model did not call the tool. A larger model may.',
      });
  }
}

/** What arrives in a field without a type. A list in text stays text, because the schema doesn't exclude it. */
function untypedFinding(probed: ProbedCall, about: Case): Finding {
  const given =
    probed.way === 'native' ? probed.calls.map(({ input }) => (isObject(input) ? input.tags : undefined)) : [];
  const text = given.find((value) => typeof value === 'string');
  const typed = { advice: 'Give each field a type. `toolmend check FILE` lists the fields without one.' };
  if (text !== undefined)
    return told(
      'untyped',
      'fair',
      `a field without a type received its list as text: ${excerpt(String(text), 60)}`,
      typed,
    );
  if (probed.way === 'refused') return told('untyped', 'fair', probed.said, typed);
  return callFinding('untyped', probed, about, 'list received in a field without a type');
}

function nativeFinding(check: Check, calls: Extract<ProbedCall, { way: 'native' }>['calls'], good: string): Finding {
  const broken = calls.find(({ status }) => status === 'invalid');
  if (broken) {
    const [problem] = broken.problems;
    return told(check, 'fair', `invalid call received: ${problem?.message ?? 'unknown'}`, {
      advice: 'The proxy can send feedback to the model (--retries).',
    });
  }
  const mended = calls.filter(({ status }) => status === 'mended');
  if (mended.length === 0) return { check, verdict: 'good', said: good };
  const kinds = [...new Set(mended.flatMap(({ repairs }) => repairs.map(({ kind }) => kind)))].join(', ');
  return told(check, 'fair', `${good}, but it had to be mended: ${kinds}`, { advice: 'The proxy mends such calls.' });
}

const told = (check: Check, verdict: Finding['verdict'], said: string, then: Advice | undefined): Finding => ({
  check,
  verdict,
  said,
  ...then,
});
