/** The settings of what is remembered across sessions; part of `SETTINGS`, which says what the columns mean. */
export const MEMORY_SETTINGS = [
  {
    key: 'context.fileNames',
    type: 'texts',
    sentence:
      'Names of the context files that are looked for in every folder, such as `AGENTS.md` or `.qwen/QWEN.md`, in the order in which they are told; facts are saved in `TENON.md` if it is one of them, else in the first.',
    default: ['TENON.md', 'AGENTS.md', 'QWEN.md'],
    securityRelevant: false,
    project: 'trusted',
    aliases: ['context.fileName', 'contextFileName'],
  },
  {
    key: 'context.maxMemoryBytes',
    type: 'positive-number',
    sentence: 'Bytes of context files that are told with every request; what has no room is named instead.',
    default: 32_768,
    securityRelevant: false,
    project: 'stricter',
  },
] as const;
