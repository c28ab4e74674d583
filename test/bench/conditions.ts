import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine/engine';
import type { Sandbox } from '../../sandbox/client';
import type { ServiceName } from '../../sandbox/services/names';
import { measure, median, type Measure } from './measure';

/** A run that reads all contacts. */
interface Reading {
	service: ServiceName;
	/** Who compares: the service, with the node after it, or the node alone. */
	conditions: 'none' | 'by the service' | 'by the node';
}

const readings: Reading[] = [
	{ service: 'reference', conditions: 'none' },
	{ service: 'reference', conditions: 'by the node' },
	{ service: 'newer', conditions: 'none' },
	{ service: 'newer', conditions: 'by the service' },
	{ service: 'newer', conditions: 'by the node' },
];

/** Conditions that everybody meets, so that as much is read with them as without. */
function conditionsOf(
	{ conditions }: Reading,
	{ tagId, fieldId }: { tagId: string; fieldId: string },
) {
	if (conditions === 'none') return {};
	const field = conditions === 'by the service' ? 'createdAt' : 'updatedAt';
	return {
		conditions: {
			dates: [{ field, dateOperator: 'inLast', amount: 5000, unit: 'weeks' }],
			tags: [{ listOperator: 'notIn', tagIds: [tagId] }],
			customFields: [{ customField: `${fieldId}:text`, textOperator: 'ne', text: 'nobody' }],
		},
	} as INodeParameters;
}

/** What conditions cost: as many contacts are read with three of them as without any. */
export async function contactsWithConditions(sandbox: Sandbox, contacts: number, rounds: number) {
	const costs = new Map<Reading, Measure[]>();
	const requests = new Map<Reading, number>();
	for (const service of ['reference', 'newer'] as const) {
		const workspace = await sandbox.workspace(`bench-conditions-${service}`, {
			service,
			contacts,
			faults: { latencyMs: 50, maxPerPage: 50, rateLimit: null },
		});
		const { customFields } = await workspace.state();
		const ids = { tagId: '1', fieldId: customFields.find(({ type }) => type === 'shortText')!.id };
		// In turns, so that what the machine does besides hits all of them; the first turn does not
		// count.
		for (let turn = 0; turn <= rounds; turn++) {
			for (const reading of readings.filter((each) => each.service === service)) {
				await workspace.clearJournal();
				const parameters = {
					resource: 'contact',
					operation: 'getAll',
					returnAll: true,
					simplify: false,
					...conditionsOf(reading, ids),
				};
				const credential = { baseUrl: workspace.url, accessToken: workspace.token };
				const { result, cost } = await measure(
					async () => await runNode({ parameters, credential }),
				);
				if (result.json.length !== contacts)
					throw new Error(`${result.json.length} contacts: ${result.error?.message}`);
				requests.set(reading, (await workspace.summary()).requests);
				if (turn > 0) costs.set(reading, [...(costs.get(reading) ?? []), cost]);
			}
		}
		await workspace.remove();
	}
	const middle = (reading: Reading, what: 'seconds' | 'cpuSeconds') =>
		median(costs.get(reading)!.map((cost) => cost[what]));
	return readings.map((reading) => {
		const without = readings.find(({ service }) => service === reading.service)!;
		// Of each turn by itself: the machine is not equally busy in all of them.
		const shares = costs
			.get(reading)!
			.map(({ seconds }, turn) => seconds / costs.get(without)![turn].seconds);
		return {
			service: reading.service,
			'compared by': reading.conditions,
			contacts,
			requests: requests.get(reading)!,
			seconds: Number(middle(reading, 'seconds').toFixed(2)),
			'CPU (s)': Number(middle(reading, 'cpuSeconds').toFixed(2)),
			'of the time without': `${Math.round(100 * median(shares))} %`,
		};
	});
}
