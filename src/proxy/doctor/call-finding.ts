import { type Advice, afterRefusal, afterText, type Case, proxySetting } from './advice.ts';
import type { Check, Finding } from './finding.ts';
import type { ProbedCall } from './read-probe.ts';

/** What a probe for a call comes to. */
export function callFinding(check: Check, probed: ProbedCall, about: Case, good: string): Finding {
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
