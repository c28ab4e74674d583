const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/*
 * Loaded before n8n's modules. Gives them a home folder of their own, so that they neither read nor
 * write the user's ~/.n8n, and removes it at the end. n8n makes its ID of the key, so the ID is the
 * same on every machine.
 */
const home = mkdtempSync(path.join(tmpdir(), 'n8n-tests-'));
mkdirSync(path.join(home, '.n8n'));
const settings = JSON.stringify({ encryptionKey: 'the key of the tests' });
writeFileSync(path.join(home, '.n8n/config'), settings, { mode: 0o600 });
process.once('exit', () => rmSync(home, { recursive: true, force: true }));

// The user's own variables are for another n8n.
for (const name of Object.keys(process.env)) {
	if (/^(N8N_(?!TEST_)|GENERIC_TIMEZONE$)/.test(name)) delete process.env[name];
}
process.env.N8N_USER_FOLDER = home;
