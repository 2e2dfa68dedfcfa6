// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * What a file is and whose.
 *
 * @param kind its kind
 * @param identity which file it is
 * @param mode permission bits with set-uid, set-gid and sticky, such as 0755
 * @param owner the owner's number
 * @param group the group's number
 * @param size its length in bytes
 * @param mountId the number of the mount through which it is seen; 0 if the kernel does not say
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record FileFacts(FileKind kind, FileIdentity identity, int mode, int owner, int group, long size, int mountId)
        implements FileFactsBuilder.With {}
