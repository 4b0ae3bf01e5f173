import type { Reach } from '../../../../test/provider/arbitrary.ts';
import { requests } from '../../../../test/provider/fixtures/openai-chat/requests.ts';
import { responses } from '../../../../test/provider/fixtures/openai-chat/responses.ts';
import { streams } from '../../../../test/provider/fixtures/openai-chat/streams.ts';
import { wireSuite } from '../../../../test/provider/wire-suite.ts';
import { openaiChat } from './index.ts';

const reach: Reach = {
  format: 'openai-chat',
  arguments: 'text',
  parts: ['reasoning', 'text', 'refusal', 'call'],
  ordered: true,
  media: ['data', 'url'],
  settings: ['tools', 'maxTokens', 'temperature', 'topP', 'stop', 'stream'],
};

wireSuite(openaiChat, reach, { requests, responses, streams });
