// Runs n8n's check of community packages on folders instead of a published package: the source and
// the packed files.
import { resolve } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [, , kind, folder] = process.argv;
const patterns = kind === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const { passed, message, details } = await analyzePackage(resolve(folder), patterns);
process.stdout.write(JSON.stringify({ passed, message, details }));
