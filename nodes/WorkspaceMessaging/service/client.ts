import { ApiClient, type ClientSettings } from '../transport/client';
import type { Context } from '../transport/http';
import { retryRecognition } from './capabilities';

/**
 * Connects to the workspace of the node's credential. Throws an `ApiError` if it is missing or not
 * valid.
 */
export const openClient = (context: Context, settings: ClientSettings = {}): Promise<ApiClient> =>
	ApiClient.open(context, retryRecognition, settings);
