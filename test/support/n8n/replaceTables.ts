import type { IDataObject } from 'n8n-workflow';
import type { WorkflowFile } from '../../../scripts/n8n/run';

/**
 * Replaces the nodes of data tables by Edit Fields. n8n 1 cannot create tables, so people replace
 * or remove these nodes there, as the recipes say.
 */
export function replaceTables({ nodes }: WorkflowFile): void {
	for (const node of nodes) {
		if (node.type !== 'n8n-nodes-base.dataTable') continue;
		const { value = {} } = (node.parameters.columns ?? {}) as IDataObject;
		const assignments = Object.entries(value as IDataObject).map(([name, entered]) => ({
			...{ id: name, name, value: entered },
			type: 'string',
		}));
		Object.assign(node, {
			...{ type: 'n8n-nodes-base.set', typeVersion: 3.4 },
			parameters: assignments.length
				? { assignments: { assignments }, options: {} }
				: { options: {} },
		});
	}
}
