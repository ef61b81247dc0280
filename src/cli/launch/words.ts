/** What `policy run` takes, as the list of commands says it. */
export const RUN_WORDS = 'run [agent] [words..]';
