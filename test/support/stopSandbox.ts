export default async function () {
	await (globalThis as { stopSandbox?: () => Promise<void> }).stopSandbox?.();
}
