export * from 'node:fs';
export const globSync = () => [];
