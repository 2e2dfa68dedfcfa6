// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Permission bits and group of a directory that is made for a claim, as parameters of a StorageClass give them. Pods get the group as a
 * supplemental group through the annotation {@link Annotations#GID} of the volume.
 *
 * @param mode permission bits
 * @param gid the group; empty for the one that the directory gets by itself
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DirectoryPermissions(int mode, OptionalInt gid) {
    private static final Pattern MODE = Pattern.compile("0?[0-7]{3}");
    private static final Pattern GROUP = Pattern.compile("\\d{1,9}");
    private static final String FOR_THE_GROUP = "0770";
    private static final String FOR_EVERYBODY = "0777";
    private static final int OCTAL = 8;

    /** Whether a parameter's value is permission bits: three octal digits, or four of which the first is 0. */
    public static boolean isMode(String text) {
        return MODE.matcher(text).matches();
    }

    /** Whether a parameter's value is a group: one to nine digits. */
    public static boolean isGroup(String text) {
        return GROUP.matcher(text).matches();
    }

    /**
     * Of parameters that were found to be good.
     *
     * @param mode octal digits; empty for 0770 with a group and 0777 without one
     * @param gid the group; empty for none
     */
    public static DirectoryPermissions of(Optional<String> mode, Optional<String> gid) {
        String digits = mode.orElse(gid.isPresent() ? FOR_THE_GROUP : FOR_EVERYBODY);
        return new DirectoryPermissions(
                Integer.parseInt(digits, OCTAL),
                gid.map(text -> OptionalInt.of(Integer.parseInt(text))).orElse(OptionalInt.empty()));
    }

    /** Gives them to a directory; answers what it is like afterwards. */
    public Outcome<FileFacts> applyTo(PinnedPath directory) {
        Outcome<Nothing> owned = gid.isPresent() ? directory.setOwner(-1, gid.getAsInt()) : Outcome.done();
        // the mode last: changing the owner takes bits away
        return owned.then(nothing -> directory.setMode(mode)).then(nothing -> directory.facts());
    }

    /** Adds the annotation by which pods get the group, if there is one. */
    public void annotate(Map<String, String> annotations) {
        gid.ifPresent(group -> annotations.put(Annotations.GID, Integer.toString(group)));
    }
}
