import { requests } from '../../../../test/provider/fixtures/anthropic/requests.ts';
import { responses } from '../../../../test/provider/fixtures/anthropic/responses.ts';
import { odd, sound } from '../../../../test/provider/fixtures/anthropic/streams.ts';
import { wireSuite } from '../../../../test/provider/wire-suite.ts';
import { anthropicMessages } from './index.ts';

wireSuite(
  anthropicMessages,
  {
    format: 'anthropic',
    arguments: 'value',
    streamed: 'text',
    parts: ['sealed', 'hidden', 'text', 'call'],
    errors: true,
    settings: ['tools', 'maxTokens', 'temperature', 'topP', 'stop', 'stream'],
    required: ['maxTokens'],
  },
  { requests, responses, streams: { ...sound, ...odd } },
);
