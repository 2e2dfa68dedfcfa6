// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What a directory to be emptied has to be, and what is kept in it.
 *
 * @param identity the directory's identity; absent if the mount is proof enough
 * @param mountId the number of the mount on which it has to be, so that an unmounted share never means to empty the directory
 *     below; absent if it is on no mount of its own
 * @param keep names directly in it that are left alone, such as {@code .snapshot}
 * @param keepEmptied names of directories directly in it that are emptied and kept, such as {@code lost+found}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TreeRules(
        Optional<FileIdentity> identity, OptionalInt mountId, Set<String> keep, Set<String> keepEmptied) {
    /** Checks that something is expected, and copies the sets. */
    public TreeRules {
        if (identity.isEmpty() && mountId.isEmpty()) {
            throw new IllegalArgumentException("a tree is only emptied if it is known which one");
        }
        keep = Set.copyOf(keep);
        keepEmptied = Set.copyOf(keepEmptied);
    }

    /** Everything in the directory with this identity. */
    public static TreeRules all(FileIdentity identity) {
        return new TreeRules(Optional.of(identity), OptionalInt.empty(), Set.of(), Set.of());
    }
}
