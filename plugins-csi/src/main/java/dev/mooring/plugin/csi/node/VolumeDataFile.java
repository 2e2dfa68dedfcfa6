// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.JsonPairs;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code vol_data.json}, in which the kubelet notes whose volume a directory is. Mooring has its own records and writes the file for stock
 * tools, and for a kubelet that takes the node over (semantics/csi §6.4).
 *
 * @param directory where the file lies
 */
record VolumeDataFile(Path directory) {
    private static final String NAME = "vol_data.json";
    private static final int READABLE = 0644;
    private static final int LONGEST = 1 << 16;

    /** The file beside a mount. */
    static VolumeDataFile beside(Path mount) {
        Path parent = mount.getParent();
        return new VolumeDataFile(parent == null ? mount : parent);
    }

    Outcome<Nothing> writeStaged(OperationContext context, CsiVolumeSource source) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("driverName", source.driver());
        fields.put("volumeHandle", source.handle());
        return write(context, fields);
    }

    /**
     * Notes a volume that a pod has.
     *
     * @param name the PersistentVolume's name, or the volume's in the pod
     * @param attachment the VolumeAttachment's name
     */
    Outcome<Nothing> writePublished(
            OperationContext context,
            CsiVolumeSource source,
            String name,
            String node,
            boolean ephemeral,
            String attachment) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("attachmentID", attachment);
        fields.put("driverName", source.driver());
        fields.put("nodeName", node);
        fields.put("specVolID", name);
        fields.put("volumeHandle", source.handle());
        fields.put("volumeLifecycleMode", ephemeral ? "Ephemeral" : "Persistent");
        return write(context, fields);
    }

    private Outcome<Nothing> write(OperationContext context, Map<String, String> fields) {
        byte[] content = Document.of(fields).toString().getBytes(StandardCharsets.UTF_8);
        return in(context, place -> place.writeFile(NAME, content, READABLE));
    }

    /**
     * The volume that the file names.
     *
     * @return a source with the driver and the handle only; refused as NOT_FOUND if there is no file, or it names no volume
     */
    Outcome<VolumeSource> read(OperationContext context) {
        return context.host().files().open(directory, LinkRule.REFUSE).then(place -> {
            try (place) {
                return place.readFile(NAME, LONGEST).then(content -> content.flatMap(VolumeDataFile::source)
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.refused(
                                Refusal.NOT_FOUND, directory.resolve(NAME) + " names no volume of a CSI driver")));
            }
        });
    }

    private static Optional<VolumeSource> source(byte[] content) {
        Map<String, String> fields = JsonPairs.read(Optional.of(new String(content, StandardCharsets.UTF_8)));
        String driver = JsonPairs.unescaped(fields.getOrDefault("driverName", ""));
        String handle = JsonPairs.unescaped(fields.getOrDefault("volumeHandle", ""));
        return driver.isEmpty() || handle.isEmpty()
                ? Optional.empty()
                : Optional.of(new VolumeSource(
                        CsiVolumeSource.TYPE, Document.of(Map.of("driver", driver, "volumeHandle", handle))));
    }

    Outcome<Nothing> remove(OperationContext context) {
        Outcome<Nothing> removed = in(context, place -> place.removeFile(NAME));
        return removed.isRefused(Refusal.NOT_FOUND) ? Outcome.done() : removed;
    }

    private Outcome<Nothing> in(OperationContext context, Function<PinnedPath, Outcome<Nothing>> action) {
        return context.host().files().open(directory, LinkRule.REFUSE).then(place -> {
            try (place) {
                return action.apply(place);
            }
        });
    }
}
