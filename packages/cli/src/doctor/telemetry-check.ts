import { probeTelemetry } from '@tenon/core';
import { toolSystemOptions, type Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import type { Check, Finding } from './check.js';

/** Whether the collector takes what is sent to it, where telemetry is on. Nothing of a session is sent. */
export function telemetryCheck(surroundings: Surroundings, preparation: Preparation): Check {
  return {
    name: 'telemetry',
    run: async (signal): Promise<readonly Finding[]> => {
      const { telemetry, environment } = toolSystemOptions(surroundings, preparation);
      const probed = await probeTelemetry(telemetry, environment, signal);
      if (probed === undefined) return [];
      const { origins, problem } = probed;
      if (problem === undefined)
        return [{ name: 'telemetry', state: 'good', text: `${origins.join(', ')} takes traces and metrics` }];
      const advice =
        'Start the collector, or mend telemetry.endpoint and telemetry.headers. It must take OTLP/HTTP as JSON.';
      return [{ name: 'telemetry', state: 'problem', text: problem, advice }];
    },
  };
}
