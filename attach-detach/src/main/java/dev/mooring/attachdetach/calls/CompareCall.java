// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Look whether a volume that counts as attached to a node is so for its storage, and attach it again if it surely is not.
 *
 * @param plugin whose storage it is
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param spec the volume
 * @param at the node
 * @param attachment the uid of the VolumeAttachment
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompareCall(PluginName plugin, String volume, VolumeSpec spec, NodeRef at, String attachment)
        implements Call {
    /**
     * What was found.
     *
     * @param again whether it was not attached, and has been attached again
     * @param metadata what the storage said when it was attached again; empty otherwise
     */
    public record Compared(boolean again, Map<String, String> metadata) {
        /** It is attached, or nothing is known. */
        static final Compared ALIKE = new Compared(false, Map.of());

        /** Copies the map. */
        public Compared {
            metadata = new TreeMap<>(metadata);
        }
    }

    @Override
    public String operation() {
        return "compare-attachment";
    }

    @Override
    public String node() {
        return at.name();
    }

    @Override
    public String occasion() {
        return at.uid() + "/" + attachment;
    }
}
