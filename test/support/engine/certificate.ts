import { generateKeyPairSync, sign } from 'node:crypto';

/**
 * Writes one value in the binary form of certificates (DER): its type, the number of its bytes, its
 * bytes.
 */
function der(type: number, ...parts: Buffer[]): Buffer {
	const bytes = Buffer.concat(parts);
	const length =
		bytes.length < 128 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff];
	return Buffer.concat([Buffer.from([type, ...length]), bytes]);
}

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const LOCALHOST = der(
	SEQUENCE,
	der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from('localhost')))),
);

/**
 * Makes a certificate that nobody trusts, because it signs itself; with its key, for an HTTPS
 * server.
 */
export function selfSignedCertificate(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const time = (text: string) => der(0x17, Buffer.from(text));
	const content = der(
		SEQUENCE,
		der(0x02, Buffer.from([1])),
		ECDSA_WITH_SHA256,
		LOCALHOST,
		der(SEQUENCE, time('200101000000Z'), time('491231000000Z')),
		LOCALHOST,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
	const cert = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
	};
}
