import { hasCommand, runCommand } from './command';
import { step } from './progress';

/**
 * Installs packages of the operating system where that can be done without asking: as root, with
 * apt.
 *
 * @returns whether it could be done
 */
export async function installPackages(names: string[]): Promise<boolean> {
	if (process.getuid?.() !== 0 || !(await hasCommand('apt-get'))) return false;
	await step(`Installing ${names.join(', ')}`, async () => {
		await runCommand('apt-get', ['update']);
		await runCommand('apt-get', ['install', '--yes', '--no-install-recommends', ...names], {
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		});
	});
	return true;
}
