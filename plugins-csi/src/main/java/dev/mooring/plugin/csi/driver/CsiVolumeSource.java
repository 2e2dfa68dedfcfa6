// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A volume's {@code csi} source, with the references to secrets that {@link CsiSource} leaves out.
 *
 * @param csi the fields that say which volume it is
 * @param document the whole source
 */
public record CsiVolumeSource(CsiSource csi, VolumeSource document) {
    private static final Pattern DRIVER = Pattern.compile("[a-zA-Z0-9]([-a-zA-Z0-9.]{0,61}[a-zA-Z0-9])?");

    /** The type of source. */
    public static final String TYPE = "csi";

    /** The secret of a volume's stage call. */
    public static final String STAGE_SECRET = "nodeStageSecretRef";

    /** The secret of a volume's publish call. */
    public static final String PUBLISH_SECRET = "nodePublishSecretRef";

    /** The secret of a volume's growth on the node. */
    public static final String NODE_EXPAND_SECRET = "nodeExpandSecretRef";

    /** The secret of a volume's growth from outside the node. */
    public static final String EXPAND_SECRET = "controllerExpandSecretRef";

    /** The secret of a volume's attach and detach. */
    public static final String ATTACH_SECRET = "controllerPublishSecretRef";

    /** The source of a volume. */
    public static CsiVolumeSource of(VolumeSource source) {
        return new CsiVolumeSource(
                CsiSource.of(source)
                        .orElseThrow(() -> new IllegalArgumentException("not a csi source: " + source.type())),
                source);
    }

    /** The source of a volume. */
    public static CsiVolumeSource of(VolumeSpec volume) {
        return of(volume.source());
    }

    /** What is wrong with a source; empty if nothing is (semantics/csi §3.1, §15). */
    public static List<FieldProblem> problems(VolumeSource source) {
        CsiSource csi = of(source).csi();
        List<FieldProblem> problems = new ArrayList<>();
        if (!DRIVER.matcher(csi.driver()).matches()) {
            problems.add(new FieldProblem(
                    "spec.csi.driver",
                    "'" + csi.driver() + "' is no driver name: want at most 63 letters, digits, '-' and '.'"));
        }
        if (csi.volumeHandle().isEmpty()) {
            problems.add(new FieldProblem("spec.csi.volumeHandle", "required"));
        } else if (csi.volumeHandle().chars().anyMatch(Character::isISOControl)) {
            problems.add(new FieldProblem("spec.csi.volumeHandle", "holds a control character"));
        }
        return problems;
    }

    /** Name of the driver. */
    public String driver() {
        return csi.driver();
    }

    /** The driver's name for the volume. */
    public String handle() {
        return csi.volumeHandle();
    }

    /** The attributes, in a fixed order. */
    public Map<String, String> attributes() {
        return csi.volumeAttributes();
    }

    /**
     * A secret that the source refers to.
     *
     * @param field such as {@link #STAGE_SECRET}
     */
    public Optional<ObjectKey> secret(String field) {
        return document.attributes()
                .text(field, "name")
                .filter(name -> !name.isEmpty())
                .map(name -> ObjectKey.of(
                        document.attributes().text(field, "namespace").orElse(""), name));
    }
}
