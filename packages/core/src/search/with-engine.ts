import { EngineChain } from './engine-chain.js';
import { createOddEngine, type OddEngine } from './engines/odd-engine.js';
import type { SearchEngine } from './engines/search-engine.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';

/** One piece of work for the engines of a place, which are closed afterwards. @throws what the last engine threw */
export async function withEngine(
  { folder }: SearchedPlace,
  { engines }: PlaceSearch,
  use: (engine: SearchEngine) => Promise<void>,
): Promise<void> {
  const chain = new EngineChain(engines, folder);
  try {
    await chain.run(use);
  } finally {
    await chain.close();
  }
}

/** The same for the engine of odd files. */
export async function withOddEngine(
  { folder }: SearchedPlace,
  { pattern, engines, index }: PlaceSearch,
  use: (engine: OddEngine) => Promise<void>,
): Promise<void> {
  const others = new EngineChain(engines, folder);
  const engine = createOddEngine({ pattern, folder, others, guesses: index.guesses });
  try {
    await use(engine);
  } finally {
    await engine.close();
    await others.close();
  }
}
