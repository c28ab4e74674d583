import { parseArgs } from 'node:util';
import { z } from 'zod/v4';
import { newerRateLimit } from './options';
import { newWorkspace } from './seed';
import { startServer } from './server';
import { serviceNames } from './services/names';

const usage = `Usage: node --import tsx sandbox/main.ts [options]

  --port <n>         port of the API; any free one when left out
  --other-port <n>   port of the second origin; any free one when left out
  --token <text>     makes a workspace with this token, of 8 characters or more
  --contacts <n>     contacts in that workspace; 50 when left out
  --service <name>   what answers: reference (as the API's reference says), newer or older (as real services do)
  --seed <n>         feeds the names and values in it
  --json             prints one line of JSON when ready
  --attached         ends when standard input does, and so with the process that started it
  --help             prints this`;

/** A whole number of at least 0 from the command line. */
function numberOf(name: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number`);
	return Number(text);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '0' },
			'other-port': { type: 'string', default: '0' },
			token: { type: 'string' },
			contacts: { type: 'string', default: '50' },
			service: { type: 'string', default: 'reference' },
			seed: { type: 'string', default: '1' },
			json: { type: 'boolean', default: false },
			attached: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(usage);
		return;
	}
	const { token, json, attached } = values;
	const service = z.enum(serviceNames).parse(values.service);
	if (token !== undefined && token.length < 8)
		throw new Error('--token must have 8 characters or more');
	const { url, otherUrl, sandboxes, close } = await startServer({
		port: numberOf('port', values.port),
		otherPort: numberOf('other-port', values['other-port']),
		service,
	});
	if (token !== undefined) {
		const contacts = numberOf('contacts', values.contacts);
		// Whoever tries a newer service by hand meets its limit, too.
		const faults = service === 'newer' ? { rateLimit: newerRateLimit } : {};
		const seed = numberOf('seed', values.seed);
		sandboxes.workspaces.set(
			token,
			newWorkspace({ contacts, seed, service, faults, allowPrivateUrls: true }),
		);
	}
	const end = () => {
		close();
		process.stdin.destroy();
	};
	process.once('SIGTERM', end).once('SIGINT', end);
	if (attached) process.stdin.once('end', end).resume();
	if (json) {
		console.log(JSON.stringify({ ready: true, url, otherUrl }));
	} else {
		console.log(welcome(url, token));
	}
}

function welcome(url: string, token: string | undefined): string {
	const name = token ?? 'my-token';
	const make = `curl -X PUT ${url}/_sandbox/workspaces/${name} -H 'Content-Type: application/json' -d '{"contacts":50}'`;
	return [
		`The sandbox of the API runs at ${url}`,
		...(token === undefined ? ['', 'Make a workspace:', `  ${make}`] : []),
		'',
		'List contacts:',
		`  curl -H 'Authorization: Bearer ${name}' '${url}/api/v1/contacts?perPage=5'`,
		'See what arrived:',
		`  curl ${url}/_sandbox/workspaces/${name}/journal`,
		'Write as a contact, in a browser (newer and older services):',
		`  ${url}/_sandbox/workspaces/${name}/chat`,
		'Read the OpenAPI document:',
		`  curl ${url}/openapi.json`,
	].join('\n');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
