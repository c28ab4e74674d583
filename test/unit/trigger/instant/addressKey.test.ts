import {
	hasAddressKey,
	isSameAddress,
	makeKey,
	makeSecret,
	findSecretIn,
	addKeyToAddress,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/addressKey';

const address = 'https://n8n.example.com/webhook/1a2b/webhook';
const secret = 'a'.repeat(32);

describe('The key of an address', () => {
	test('has 128 random bits', () => {
		const secrets = Array.from({ length: 100 }, makeSecret);
		expect(new Set(secrets).size).toBe(100);
		for (const each of secrets) expect(each).toMatch(/^[0-9a-f]{32}$/);
	});

	test('is found again for the same subject only', () => {
		const url = addKeyToAddress(address, makeKey(secret, 'sub-ject_1'));
		expect(findSecretIn(url, 'sub-ject_1')).toBe(secret);
		expect(findSecretIn(url, 'other')).toBeUndefined();
		expect(findSecretIn(address, 'sub-ject_1')).toBeUndefined();
		expect(
			findSecretIn(addKeyToAddress(address, 'short.sub-ject_1'), 'sub-ject_1'),
		).toBeUndefined();
	});

	test('must be the whole key, as one text', () => {
		const key = makeKey(secret, 'subject');
		expect(hasAddressKey({ key }, key)).toBe(true);
		for (const given of [
			undefined,
			'',
			secret,
			`${key} `,
			key.slice(1),
			key.toUpperCase(),
			[key],
			{ key },
		])
			expect(hasAddressKey({ key: given }, key)).toBe(false);
	});
});

describe('Two addresses are the same', () => {
	test.each([
		[address, true],
		[`${address}?key=x`, true],
		[`${address}?key=x&more=y`, true],
		['https://N8N.example.com:443/webhook/1a2b/webhook', true],
		['http://n8n.example.com/webhook/1a2b/webhook', false],
		['https://n8n.example.com/webhook-test/1a2b/webhook', false],
		['https://n8n.example.com/webhook/1a2b/webhook/', false],
		['https://n8n.example.com.evil.org/webhook/1a2b/webhook', false],
		['https://n8n.example.com/webhook/9z/webhook', false],
		['not an address', false],
		['', false],
	])('%s: %s', (other, isSame) => {
		expect(isSameAddress(other, address)).toBe(isSame);
	});
});
