/** What runs calls. Large, and of no use to a session in which nothing is called. */
export async function loadScheduler() {
  const [{ runCalls }, { withAfterBatch }, { CallStops }] = await Promise.all([
    import('./scheduler.js'),
    import('./after-batch.js'),
    import('./call-stop.js'),
  ]);
  return { runCalls, withAfterBatch, CallStops };
}
