import { join } from 'node:path';

/** What the program finds in its environment: a home in the bench's folder, and the scripted model. */
export const programEnvironment = (folder, model) => ({
  PATH: process.env.PATH,
  HOME: folder,
  TENON_HOME: join(folder, 'home'),
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_API_KEY: 'bench',
  OPENAI_MODEL: model.model,
});
