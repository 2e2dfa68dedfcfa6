// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * A file or directory that was to be there.
 *
 * @param path the object, to be closed by the caller
 * @param isNew whether it was made by this call
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Made(PinnedPath path, boolean isNew) {}
