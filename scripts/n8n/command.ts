import { spawn } from 'node:child_process';

const TAIL_LINES = 40;

interface CommandOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command to its end and returns its stdout; the error of a failure holds the end of its
 * output.
 */
export async function runCommand(
	command: string,
	args: string[],
	{ cwd, env = process.env }: CommandOptions = {},
): Promise<string> {
	const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
	const stop = () => child.kill();
	process.once('exit', stop);
	let stdout = '';
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});

	const end = await new Promise<string | undefined>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) =>
			resolve(code === 0 ? undefined : `ended with ${signal ?? code}`),
		);
	});
	process.off('exit', stop);
	if (end !== undefined) {
		const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
		throw new Error(`${command} ${args.join(' ')} ${end}\n${tail}`);
	}
	return stdout;
}

/** Whether a command can be started here. */
export async function hasCommand(command: string): Promise<boolean> {
	return await runCommand(command, ['--version']).then(
		() => true,
		() => false,
	);
}
