import { rmSync } from 'node:fs';

/*
 * Loaded into n8n before n8n itself. It answers how much processor time n8n has used. However the
 * process that started n8n ends, the channel to it closes; then nobody needs this n8n, and neither
 * it nor what it started or stored is to stay.
 */
process.on('disconnect', () => {
	rmSync(process.env.N8N_USER_FOLDER ?? '', { recursive: true, force: true });
	// n8n leads its own process group.
	process.kill(-process.pid, 'SIGKILL');
});

process.on('message', (question) => {
	if (question === 'cpuUsage') process.send?.({ cpuUsage: process.cpuUsage() });
});
