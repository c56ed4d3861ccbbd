// Gives the model a tool of the program, and prints what happens as it happens.
import { BaseDeclarativeTool, Kind, openAgent, RunInvocation } from '@tenon/core';

class StockInvocation extends RunInvocation {
  getDescription() {
    return this.params.article;
  }

  // What it would do, for the rules: nothing on this machine.
  effects() {
    return [];
  }

  async run() {
    const pieces = { screws: 1200, nails: 0 }[this.params.article];
    if (pieces === undefined) throw new Error(`There is no article ${this.params.article}.`);
    return { llmContent: `${pieces} pieces`, returnDisplay: `${pieces} pieces` };
  }
}

class StockTool extends BaseDeclarativeTool {
  constructor() {
    const parameters = { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] };
    super('stock', 'Stock', 'Says how many pieces of an article are in stock.', Kind.Read, parameters);
  }

  createInvocation(params) {
    return new StockInvocation(params);
  }
}

const agent = await openAgent({ host: process, tools: [new StockTool()], limits: { turns: 10 } });
try {
  for await (const event of agent.send('Do we have to order screws?')) {
    if (event.type === 'tool-call-end') console.log(`${event.toolName} ${event.title}: ${event.status}`);
    if (event.type === 'prompt-end') console.log(event.text);
  }
} finally {
  await agent.close();
}
