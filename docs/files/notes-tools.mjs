const notes = { release: 'Tag, build, publish.', style: 'Small files, plain names.' };

export const readNotes = {
  name: 'read_notes',
  description: 'Reads the notes on a topic',
  effect: 'read',
  inputSchema: {
    type: 'object',
    properties: { topic: { type: 'string', enum: ['release', 'style'] } },
    required: ['topic'],
  },
  execute: ({ topic }) => notes[topic],
};
