import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { installN8n } from '../../scripts/n8n/install';
import { median } from './measure';

/** A fresh process that has loaded what n8n itself has, loads one node, and says what that took. */
const PROGRAM = `
const load = require('node:module').createRequire(process.argv[1]);
load('n8n-workflow');
const start = performance.now();
const [Node] = Object.values(load(process.argv[2]));
const node = new Node();
const ms = performance.now() - start;
const type = node.nodeVersions ? node.getNodeType() : node;
console.log(JSON.stringify({ ms, characters: JSON.stringify(type.description).length }));
`;

interface Loading {
	node: string;
	/**
	 * Time to load the compiled node with all that it brings along, in milliseconds; the middle of
	 * several processes.
	 */
	ms: number;
	/** Length of the description, which the editor gets. */
	characters: number;
}

/** What n8n pays for a node whether it is used or not, beside its own HTTP Request node. */
export async function loading(rounds: number): Promise<Loading[]> {
	const { bin } = await installN8n();
	const nodes = [
		{
			node: 'Workspace Messaging',
			from: __filename,
			file: path.resolve(
				__dirname,
				'../../dist/nodes/WorkspaceMessaging/WorkspaceMessaging.node.js',
			),
		},
		{
			node: 'HTTP Request',
			from: bin,
			file: 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
		},
	];
	return nodes.map(({ node, from, file }) => {
		const runs = Array.from(
			{ length: rounds },
			() =>
				JSON.parse(
					execFileSync(process.execPath, ['-e', PROGRAM, from, file], { encoding: 'utf8' }),
				) as Loading,
		);
		return { node, ms: median(runs.map(({ ms }) => ms)), characters: runs[0].characters };
	});
}
