// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a new volume will be. Pure.
 *
 * <p>Parameters of the class: {@code mode}, permission bits of the directory in octal digits, and {@code gid}, its group, which pods
 * get as a supplemental group. Without a mode it is 0770 with a gid and 0777 without one. The root is no parameter: who may
 * write a class may not choose where the node writes.
 *
 * @param request what was asked for
 * @param mode permission bits
 * @param gid the group; empty for the agent's own
 */
record ProvisionPlan(ProvisionRequest request, int mode, OptionalInt gid) {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String CAPACITY_ENFORCED = "mooring.dev/capacity-enforced";
    private static final Pattern VOLUME_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,200}[a-z0-9])?");
    private static final Pattern MODE = Pattern.compile("0?[0-7]{3}");
    private static final Pattern GROUP = Pattern.compile("\\d{1,9}");

    static Outcome<ProvisionPlan> of(ProvisionRequest request) {
        return problem(request)
                .<Outcome<ProvisionPlan>>map(why -> Outcome.refused(Refusal.INVALID, why))
                .orElseGet(() -> Outcome.done(checked(request)));
    }

    private static Optional<String> problem(ProvisionRequest request) {
        if (!VOLUME_NAME.matcher(request.volumeName()).matches()) {
            return Optional.of("'" + request.volumeName() + "' cannot name a directory of a volume");
        }
        if (request.mode() == VolumeMode.BLOCK) {
            return Optional.of("a hostPath volume has no block mode");
        }
        if (!request.mountOptions().isEmpty()) {
            return Optional.of("a hostPath volume has no mount options");
        }
        for (Map.Entry<String, String> parameter : request.parameters().entrySet()) {
            boolean good = switch (parameter.getKey()) {
                case "mode" -> MODE.matcher(parameter.getValue()).matches();
                case "gid" -> GROUP.matcher(parameter.getValue()).matches();
                default -> false;
            };
            if (!good) {
                return Optional.of("parameter " + parameter.getKey() + " is unknown or its value '"
                        + parameter.getValue() + "' is not one");
            }
        }
        return Optional.empty();
    }

    private static ProvisionPlan checked(ProvisionRequest request) {
        Optional<String> gid = Optional.ofNullable(request.parameters().get("gid"));
        String mode = request.parameters().getOrDefault("mode", gid.isPresent() ? "0770" : "0777");
        return new ProvisionPlan(
                request,
                Integer.parseInt(mode, 8),
                gid.map(text -> OptionalInt.of(Integer.parseInt(text))).orElse(OptionalInt.empty()));
    }

    String name() {
        return request.volumeName();
    }

    /** The volume, with its directory below a root, on the node chosen by the scheduler if there is one. */
    VolumeTemplate template(Path root) {
        return template(root, request.selectedNode());
    }

    /** The volume on a node, known by the label that schedulers look at; where the label is not known, it is taken for the name. */
    VolumeTemplate template(Path root, Optional<NodeRef> node) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(CAPACITY_ENFORCED, "false");
        gid.ifPresent(group -> annotations.put(Annotations.GID, Integer.toString(group)));
        String path = root.resolve(Store.VOLUMES).resolve(name()).toString();
        return new VolumeTemplate(
                new HostPathSource(path, PathType.DIRECTORY.text()).toSource(),
                request.requested(),
                request.accessModes().isEmpty() ? List.of(AccessMode.READ_WRITE_ONCE) : request.accessModes(),
                node.map(chosen -> VolumeNodeAffinity.onlyWhere(HOSTNAME, hostname(chosen))),
                annotations);
    }

    private String hostname(NodeRef node) {
        boolean known = request.selectedNode()
                .filter(selected -> selected.name().equals(node.name()))
                .isPresent();
        return known ? request.nodeLabels().getOrDefault(HOSTNAME, node.name()) : node.name();
    }
}
