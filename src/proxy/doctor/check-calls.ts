import { dialectOf } from '../../dialect/detect.ts';
import { toolPrompt } from '../../dialect/tool-prompt.ts';
import { mendValue } from '../../mend/mend-value.ts';
import type { Format, ModelRequest } from '../../model/index.ts';
import { excerpt } from '../../provider/client/endpoint.ts';
import { textModel } from '../../provider/text-model.ts';
import { type Advice, afterRefusal, afterText, type Case, proxySetting } from './advice.ts';
import { type Probe, type ProbedCall, probe, probedModel, readProbe } from './model-probe.ts';
import { prompts, responseSchema } from './prompts.ts';
import type { ServerFacts } from './server-facts.ts';
import type { CallMode, Check, Finding, ProbeTarget } from './types.ts';

/** Who is asked, in which wire, and who is told. */
interface LookOptions {
  readonly patient: ProbeTarget;
  readonly wire: Format;
  readonly facts: ServerFacts;
  readonly onCheck: (check: Check) => void;
  readonly note: (finding: Finding) => void;
}

/** The part of an examination in which the model is asked, in one wire. */
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

  /** Whether the model answers at all. */
  async answers(): Promise<boolean> {
    const { response, error } = await this.#ask('answer', prompts.answer);
    const text = textOf({ response });
    if (error) this.#options.note({ check: 'answer', verdict: 'bad', said: error.message });
    else if (text === '')
      this.#options.note({
        check: 'answer',
        verdict: 'fair',
        said: `no words came; the answer ended by ${response.finish}`,
      });
    else this.#options.note({ check: 'answer', verdict: 'good', said: excerpt(text, 40) });
    return error === undefined;
  }

  /** How calls can be made. */
  async calls(): Promise<CallMode> {
    const whole = readProbe(await this.#ask('call', prompts.call), prompts.call);
    await this.#learnDialect(whole);
    this.#options.note(callFinding('call', whole, this.#about, 'a native call came'));
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

  /** Where a server takes no tools without a setting, what the model writes when none may be called is its own dialect. */
  async #learnDialect(whole: ProbedCall): Promise<void> {
    if (whole.way === 'text') this.dialect ??= whole.dialect;
    if (this.dialect !== undefined || whole.way !== 'refused') return;
    const free = { ...prompts.call, toolChoice: 'none' } as const;
    const written = readProbe(await this.#ask('text', free), free);
    if (written.way === 'text') this.dialect = written.dialect;
  }

  async #nativeCalls(): Promise<void> {
    const streamed = await this.#ask('stream', prompts.call, true);
    const pieces = streamed.pieces > 1 ? `in ${streamed.pieces} pieces` : 'in one piece';
    this.#options.note(callFinding('stream', readProbe(streamed, prompts.call), this.#about, `a call came ${pieces}`));
    const nested = readProbe(await this.#ask('nested', prompts.nested), prompts.nested);
    this.#options.note(
      callFinding('nested', nested, this.#about, 'a list of objects and an object came as they should'),
    );
    const several = readProbe(await this.#ask('parallel', prompts.parallel), prompts.parallel);
    const alone = several.way === 'native' && several.calls.length < 2;
    this.#options.note(
      alone
        ? {
            check: 'parallel',
            verdict: 'fair',
            said: 'one call came where two were asked for',
            advice: 'Calls come one at a time: more turns.',
          }
        : callFinding('parallel', several, this.#about, 'two calls came in one answer'),
    );
    const { response, error } = await this.#ask('result', prompts.result);
    this.#options.note(
      error
        ? {
            check: 'result',
            verdict: 'bad',
            said: error.message,
            advice: 'A conversation with results is refused: the chat template may have no place for them.',
          }
        : { check: 'result', verdict: 'good', said: `taken; the model said ${excerpt(textOf({ response }), 60)}` },
    );
  }

  /** Whether calls can be asked for in text. */
  async #inText(): Promise<CallMode> {
    this.#options.onCheck('text');
    const { dialect } = this;
    // Asked for in the model's own dialect, and read in any: a small model may fall back to another.
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
        : `, asked for in ${dialect}${this.#options.facts.template ? `, the dialect of the template in ${this.#options.facts.template.where}` : ''}`;
    this.#options.note({
      check: 'text',
      verdict: 'good',
      said: `a call came as text${from}`,
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
        said: `not needed; the template in ${template.where} teaches ${this.dialect}`,
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
        advice: 'Ask for JSON in the prompt, and read it with mendValue.',
      });
      return;
    }
    const text = textOf({ response });
    const { status } = mendValue(text, responseSchema);
    const verdicts = { ok: 'good', mended: 'fair', invalid: 'fair' } as const;
    const words = {
      ok: 'the answer fits its schema',
      mended: 'the answer fits once it is mended',
      invalid: 'the answer does not fit its schema',
    };
    this.#options.note({ check, verdict: verdicts[status], said: `${words[status]}: ${excerpt(text, 60)}` });
  }
}

const textOf = ({ response }: Pick<Probe, 'response'>): string =>
  response.message.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();

/** What a probe for a call comes to. */
function callFinding(check: Check, probed: ProbedCall, about: Case, good: string): Finding {
  switch (probed.way) {
    case 'native':
      return nativeFinding(check, probed.calls, good);
    case 'text': {
      const known = { ...about, dialect: about.dialect ?? probed.dialect };
      return told(check, 'bad', `the call came as text, ${probed.dialect}: ${probed.said}`, afterText(known));
    }
    case 'unread':
      return told(check, 'fair', probed.said, {
        ...proxySetting(about),
        advice: "The server could not read its model's call; the proxy reads it from the error.",
      });
    case 'refused':
      return told(check, 'bad', probed.said, afterRefusal(probed.said, about));
    case 'cut':
      return told(check, 'open', 'the limit of tokens came before a call', {
        advice: 'Try again with a higher --max-tokens.',
      });
    case 'none':
      return told(check, check === 'call' ? 'bad' : 'fair', `no call; the model said ${probed.said}`, {
        advice: 'The model saw the tool and did not call it: a larger one may.',
      });
  }
}

function nativeFinding(check: Check, calls: Extract<ProbedCall, { way: 'native' }>['calls'], good: string): Finding {
  const broken = calls.find(({ status }) => status === 'invalid');
  if (broken) {
    const [problem] = broken.problems;
    return told(check, 'fair', `a call came that fits no tool: ${problem?.message ?? 'unknown'}`, {
      advice: 'The proxy tells the model what to change (--retries).',
    });
  }
  const mended = calls.filter(({ status }) => status === 'mended');
  if (mended.length === 0) return { check, verdict: 'good', said: good };
  const kinds = [...new Set(mended.flatMap(({ repairs }) => repairs.map(({ kind }) => kind)))].join(', ');
  return told(check, 'fair', `${good}, but it had to be mended: ${kinds}`, { advice: 'The proxy mends it.' });
}

const told = (check: Check, verdict: Finding['verdict'], said: string, then: Advice | undefined): Finding => ({
  ...{ check, verdict, said },
  ...then,
});
