import { requests } from '../../../../test/provider/fixtures/gemini/requests.ts';
import { responses } from '../../../../test/provider/fixtures/gemini/responses.ts';
import { streams } from '../../../../test/provider/fixtures/gemini/streams.ts';
import { wireSuite } from '../../../../test/provider/wire-suite.ts';
import { geminiContent } from './index.ts';

wireSuite(
  geminiContent,
  {
    format: 'gemini',
    arguments: 'value',
    parts: ['reasoning', 'sealed', 'hidden', 'text', 'call'],
    media: ['data', 'url'],
    errors: true,
    named: true,
    settings: ['tools', 'maxTokens', 'temperature', 'topP', 'stop', 'stream'],
  },
  { requests, responses, streams },
);
