import { dirname, join } from 'node:path';
import { installN8n } from '../../../scripts/n8n/install';

/**
 * Loads a module of the installed n8n, whose functions a test calls.
 *
 * @param path from the folder of n8n's modules, such as `n8n/dist/node-types.js`
 */
export async function n8nModule<T>(path: string): Promise<T> {
	const { bin } = await installN8n();
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	return require(join(dirname(bin), '../..', path)) as T;
}
