/** The command as the user starts it. Neither npx nor an npm script puts it into the path. */
export const commandName = ({ npm_lifecycle_event: event }: NodeJS.ProcessEnv): string => {
  if (event === 'npx') return 'npx toolmend';
  return event === 'toolmend' ? 'npm run -s toolmend --' : 'toolmend';
};
