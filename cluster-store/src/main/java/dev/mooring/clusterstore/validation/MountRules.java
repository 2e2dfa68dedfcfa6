// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of how the containers of a Pod use its volumes: as file systems at paths, or as devices. */
final class MountRules {
    private static final List<String> PROPAGATIONS = List.of("Bidirectional", "HostToContainer", "None");
    private static final List<String> RECURSIONS = List.of("Disabled", "IfPossible", "Enabled");
    private static final Set<String> BLOCK_SOURCES = Set.of("persistentVolumeClaim", "ephemeral");

    private final Map<String, Document> volumes = new HashMap<>();
    private final Problems problems;

    /**
     * The rules of one pod.
     *
     * @param volumes the volumes of the pod
     */
    MountRules(List<Document> volumes, Problems problems) {
        volumes.forEach(volume -> this.volumes.put(Fields.text(volume, "name"), volume));
        this.problems = problems;
    }

    /** Checks one container. */
    void check(String path, Document container) {
        List<Document> mounts = Fields.objects(container, "volumeMounts");
        List<Document> devices = Fields.objects(container, "volumeDevices");
        if (mounts.isEmpty() && devices.isEmpty()) {
            return;
        }
        Uses mounted = new Uses("volumeMounts", mounts, "mountPath");
        Uses raw = new Uses("volumeDevices", devices, "devicePath");
        Set<String> mountPaths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String at = path + ".volumeMounts[" + i + "]";
            mount(at, mounts.get(i), mountPaths);
            propagation(at + ".mountPropagation", mounts.get(i), container);
            recursion(at + ".recursiveReadOnly", mounts.get(i));
            raw.exclude(at, mounts.get(i), "mountPath", problems);
        }
        Set<String> devicePaths = new HashSet<>();
        Set<String> deviceNames = new HashSet<>();
        for (int i = 0; i < devices.size(); i++) {
            String at = path + ".volumeDevices[" + i + "]";
            device(at, devices.get(i), deviceNames, devicePaths);
            mounted.exclude(at, devices.get(i), "devicePath", problems);
        }
    }

    private void mount(String path, Document mount, Set<String> mountPaths) {
        named(path, mount);
        unique(path + ".mountPath", Fields.text(mount, "mountPath"), mountPaths);
        String subPath = Fields.text(mount, "subPath");
        String expression = Fields.text(mount, "subPathExpr");
        SourceRules.descending(path + ".subPath", subPath, problems);
        SourceRules.descending(path + ".subPathExpr", expression, problems);
        if (!subPath.isEmpty() && !expression.isEmpty()) {
            problems.invalid(path + ".subPathExpr", expression, "subPathExpr and subPath are mutually exclusive");
        }
    }

    private void propagation(String path, Document mount, Document container) {
        if (!Fields.isSet(mount, "mountPropagation")) {
            return;
        }
        String propagation = Fields.text(mount, "mountPropagation");
        problems.oneOf(path, propagation, PROPAGATIONS);
        if (propagation.equals("Bidirectional") && !Fields.isTrue(container, "securityContext", "privileged")) {
            problems.forbidden(path, "Bidirectional mount propagation is available only to privileged containers");
        }
    }

    /** What is mounted below goes read-only as well, which wants it to be read-only, and nothing to come later (Kubernetes 1.30). */
    private void recursion(String path, Document mount) {
        if (!Fields.isSet(mount, "recursiveReadOnly")) {
            return;
        }
        String recursion = Fields.text(mount, "recursiveReadOnly");
        problems.oneOf(path, recursion, RECURSIONS);
        if (!recursion.equals("Enabled") && !recursion.equals("IfPossible")) {
            return;
        }
        if (!Fields.isTrue(mount, "readOnly")) {
            problems.forbidden(path, "may only be specified when readOnly is true");
        }
        if (Fields.isSet(mount, "mountPropagation")
                && !Fields.text(mount, "mountPropagation").equals("None")) {
            problems.forbidden(path, "may only be specified when mountPropagation is None or not specified");
        }
    }

    private void device(String path, Document device, Set<String> names, Set<String> devicePaths) {
        named(path, device);
        String name = Fields.text(device, "name");
        distinct(path + ".name", name, names);
        if (volumes.containsKey(name)
                && BLOCK_SOURCES.stream().noneMatch(source -> Fields.isSet(volumes.get(name), source))) {
            problems.invalid(
                    path + ".name",
                    name,
                    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
        }
        String devicePath = Fields.text(device, "devicePath");
        unique(path + ".devicePath", devicePath, devicePaths);
        if (SourceRules.leadsUpwards(devicePath)) {
            problems.invalid(path + ".devicePath", devicePath, "can not contain backsteps ('..')");
        }
    }

    private void named(String path, Document use) {
        String name = Fields.text(use, "name");
        problems.given(path + ".name", name);
        if (!name.isEmpty() && !volumes.containsKey(name)) {
            problems.notFound(path + ".name", name);
        }
    }

    private void unique(String path, String value, Set<String> seen) {
        problems.given(path, value);
        distinct(path, value, seen);
    }

    private void distinct(String path, String value, Set<String> seen) {
        if (!value.isEmpty() && !seen.add(value)) {
            problems.invalid(path, value, "must be unique");
        }
    }

    /** The volumes and paths that a container uses in one of the two ways, and so may not use in the other. */
    private static final class Uses {
        private final String field;
        private final Set<String> names = new HashSet<>();
        private final Set<String> paths = new HashSet<>();

        Uses(String field, List<Document> uses, String pathField) {
            this.field = field;
            uses.forEach(use -> {
                names.add(Fields.text(use, "name"));
                paths.add(Fields.text(use, pathField));
            });
        }

        void exclude(String at, Document use, String pathField, Problems problems) {
            String name = Fields.text(use, "name");
            if (!name.isEmpty() && names.contains(name)) {
                problems.invalid(at + ".name", name, "must not already exist in " + field);
            }
            String path = Fields.text(use, pathField);
            if (!path.isEmpty() && paths.contains(path)) {
                problems.invalid(at + "." + pathField, path, "must not already exist as a path in " + field);
            }
        }
    }
}
