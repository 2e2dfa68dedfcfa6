// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.host.BlockDevice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The devices made read-only here, which may be made writable again; a device that its administrator made read-only may not. A number is
 * given again when its device is gone, so what counts is the device that had it. Thread-safe.
 */
final class MadeReadOnly {
    /** By number, so that no more is remembered than there are numbers. */
    private final Map<String, String> identities = new ConcurrentHashMap<>();

    private final Function<BlockDevice, String> identity;

    /**
     * Remembers nothing yet.
     *
     * @param identity what no device of the same number has had before
     */
    MadeReadOnly(Function<BlockDevice, String> identity) {
        this.identity = identity;
    }

    void note(BlockDevice device) {
        identities.put(device.number(), identity.apply(device));
    }

    boolean contains(BlockDevice device) {
        String noted = identities.get(device.number());
        if (noted == null || noted.equals(identity.apply(device))) {
            return noted != null;
        }
        identities.remove(device.number(), noted);
        return false;
    }

    void forget(BlockDevice device) {
        identities.remove(device.number());
    }
}
