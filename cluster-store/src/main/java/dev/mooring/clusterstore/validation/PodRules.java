// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rules of Pods, as far as volumes are concerned. */
final class PodRules implements KindRules {
    /** What has rules of its own for changes, and an old name of a field. */
    private static final Set<String> APART =
            Set.of("activeDeadlineSeconds", "tolerations", "schedulingGates", "serviceAccount");

    private static final String DEADLINE = "spec.activeDeadlineSeconds";
    private static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");
    private static final List<String> FS_GROUP_CHANGE_POLICIES = List.of("Always", "OnRootMismatch");
    private static final String SCHEDULER = "schedulerName";
    private static final String GRACE = "terminationGracePeriodSeconds";
    private static final String EPHEMERAL = "ephemeralContainers";
    private static final Set<String> CONTAINERS = Set.of("containers", "initContainers");

    @Override
    public void state(Document object, Problems problems) {
        Document spec = Fields.object(object, "spec");
        volumes(spec, problems);
        containers(spec, problems);
        String node = Fields.text(spec, "nodeName");
        if (!node.isEmpty()) {
            problems.syntax("spec.nodeName", node, Syntax.subdomain(node));
        }
        gates(spec, node, problems);
        placement(spec, problems);
        claimNames(Fields.name(object), Fields.objects(spec, "volumes"), problems);
        spec.text("restartPolicy").ifPresent(policy -> problems.oneOf("spec.restartPolicy", policy, RESTART_POLICIES));
        security(Fields.object(spec, "securityContext"), problems);
        Fields.integer(spec, GRACE)
                .filter(seconds -> seconds < 0)
                .ifPresent(seconds -> problems.invalid("spec." + GRACE, seconds, "must be greater than or equal to 0"));
    }

    private static void containers(Document spec, Problems problems) {
        if (Fields.list(spec, "containers").isEmpty()) {
            problems.required("spec.containers", "");
        }
        MountRules mounts = new MountRules(Fields.objects(spec, "volumes"), problems);
        Set<String> names = new HashSet<>();
        for (String field : List.of("initContainers", "containers", EPHEMERAL)) {
            List<Document> containers = Fields.objects(spec, field);
            for (int i = 0; i < containers.size(); i++) {
                String path = "spec." + field + "[" + i + "]";
                name(path + ".name", Fields.text(containers.get(i), "name"), names, problems);
                mounts.check(path, containers.get(i));
            }
        }
    }

    private static void security(Document security, Problems problems) {
        security.text("fsGroupChangePolicy")
                .ifPresent(policy ->
                        problems.oneOf("spec.securityContext.fsGroupChangePolicy", policy, FS_GROUP_CHANGE_POLICIES));
        Fields.integer(security, "fsGroup")
                .filter(group -> group < 0 || group > Integer.MAX_VALUE)
                .ifPresent(group -> problems.invalid(
                        "spec.securityContext.fsGroup",
                        group,
                        "must be between 0 and " + Integer.MAX_VALUE + ", inclusive"));
    }

    /** Where it may run: what the scheduler could not read would keep the pod from every node, or from none, without any message. */
    private static void placement(Document spec, Problems problems) {
        MetadataRules.labelMap("spec.nodeSelector", Fields.textMap(spec, "nodeSelector"), problems);
        String[] required = {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"};
        if (Fields.isSet(spec, required)) {
            SelectorRules.nodeSelector("spec." + String.join(".", required), Fields.object(spec, required), problems);
        }
        List<Document> tolerations = Fields.objects(spec, "tolerations");
        for (int i = 0; i < tolerations.size(); i++) {
            toleration("spec.tolerations[" + i + "]", tolerations.get(i), problems);
        }
    }

    private static void toleration(String path, Document toleration, Problems problems) {
        String key = Fields.text(toleration, "key");
        String operator = Fields.text(toleration, "operator");
        String value = Fields.text(toleration, "value");
        String effect = Fields.text(toleration, "effect");
        if (!key.isEmpty()) {
            problems.syntax(path + ".key", key, Syntax.qualifiedName(key));
        } else if (!operator.equals("Exists")) {
            problems.invalid(
                    path + ".operator",
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (Fields.isSet(toleration, "tolerationSeconds") && !effect.equals("NoExecute")) {
            problems.invalid(path + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        if (operator.isEmpty() || operator.equals("Equal")) {
            problems.syntax(path + ".operator", value, Syntax.labelValue(value));
        } else if (!operator.equals("Exists")) {
            problems.notSupported(path + ".operator", operator, List.of("Equal", "Exists"));
        } else if (!value.isEmpty()) {
            problems.invalid(path + ".operator", toleration.asMap(), "value must be empty when `operator` is 'Exists'");
        }
        if (!effect.isEmpty()) {
            problems.oneOf(path + ".effect", effect, NodeEventLeaseRules.TAINT_EFFECTS);
        }
    }

    /** The claim of an ephemeral volume has the names of the pod and of the volume in its own. */
    private static void claimNames(String pod, List<Document> volumes, Problems problems) {
        for (int i = 0; i < volumes.size(); i++) {
            String volume = Fields.text(volumes.get(i), "name");
            if (!pod.isEmpty() && Fields.isSet(volumes.get(i), "ephemeral")) {
                String claim = pod + "-" + volume;
                problems.syntax(
                        "spec.volumes[" + i + "].name",
                        volume,
                        Syntax.subdomain(claim).map(rule -> "PVC name \"" + claim + "\": " + rule));
            }
        }
    }

    private static void gates(Document spec, String node, Problems problems) {
        List<Document> gates = Fields.objects(spec, "schedulingGates");
        if (!gates.isEmpty() && !node.isEmpty()) {
            problems.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
        }
        for (int i = 0; i < gates.size(); i++) {
            String name = Fields.text(gates.get(i), "name");
            String path = "spec.schedulingGates[" + i + "]";
            problems.syntax(path, name, Syntax.qualifiedName(name));
        }
    }

    private static void volumes(Document spec, Problems problems) {
        Set<String> names = new HashSet<>();
        List<Document> volumes = Fields.objects(spec, "volumes");
        for (int i = 0; i < volumes.size(); i++) {
            String path = "spec.volumes[" + i + "]";
            name(path + ".name", Fields.text(volumes.get(i), "name"), names, problems);
            SourceRules.check(path, SourceRules.of(volumes.get(i), Set.of()), problems);
        }
    }

    /** A name that is a label, and unique among its like. */
    private static void name(String path, String name, Set<String> others, Problems problems) {
        problems.given(path, name);
        if (!name.isEmpty()) {
            problems.syntax(path, name, Syntax.label(name));
            if (!others.add(name)) {
                problems.duplicate(path, name);
            }
        }
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        Document old = Fields.object(before, "spec");
        Document spec = Fields.object(after, "spec");
        deadline(old, spec, problems);
        tolerations(old, spec, problems);
        gates(before, after, problems);
        Document oldFixed = fixedPart(old);
        Document newFixed = fixedPart(spec);
        if (Fields.text(oldFixed, "nodeName").isEmpty()) {
            oldFixed = oldFixed.without("nodeName");
            newFixed = newFixed.without("nodeName");
        }
        if (Fields.text(oldFixed, SCHEDULER).isEmpty()) { // stored before it was filled in
            oldFixed = oldFixed.without(SCHEDULER);
            newFixed = newFixed.without(SCHEDULER);
        }
        if (becomesPositive(old, spec)) {
            oldFixed = oldFixed.without(GRACE);
            newFixed = newFixed.without(GRACE);
        }
        if (GatedPlacement.isGated(old)) {
            GatedPlacement.change(old, spec, problems);
            oldFixed = GatedPlacement.without(oldFixed);
            newFixed = GatedPlacement.without(newFixed);
        }
        if (!oldFixed.equals(newFixed)) {
            problems.forbidden(
                    "spec",
                    "pod updates may not change fields other than `spec.containers[*].image`,"
                            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                            + "`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`"
                            + " (allow it to be set to 1 if it was previously negative)");
        }
    }

    /** A pod may be given less time than it has, and no more. */
    private static void deadline(Document before, Document after, Problems problems) {
        Optional<Long> had = Fields.integer(before, "activeDeadlineSeconds");
        Optional<Long> wanted = Fields.integer(after, "activeDeadlineSeconds");
        if (wanted.filter(seconds -> seconds < 0 || seconds > Integer.MAX_VALUE).isPresent()) {
            problems.invalid(DEADLINE, wanted.get(), "must be between 0 and " + Integer.MAX_VALUE + ", inclusive");
        } else if (had.isPresent() && wanted.isEmpty()) {
            problems.invalid(DEADLINE, "null", "must not update from a positive integer to nil value");
        } else if (had.isPresent() && had.get() < wanted.get()) {
            problems.invalid(DEADLINE, wanted.get(), "must be less than or equal to previous value");
        }
    }

    private static void tolerations(Document before, Document after, Problems problems) {
        List<Document> wanted = Fields.objects(after, "tolerations").stream()
                .map(PodRules::tolerated)
                .toList();
        if (!wanted.containsAll(Fields.objects(before, "tolerations").stream()
                .map(PodRules::tolerated)
                .toList())) {
            problems.forbidden(
                    "spec.tolerations", "existing toleration can not be modified except its tolerationSeconds");
        }
    }

    /** What a toleration is about: for how long may change, and what is empty is as good as absent. */
    private static Document tolerated(Document toleration) {
        Document about = toleration.without("tolerationSeconds").withoutNulls();
        for (Map.Entry<String, Object> field : about.asMap().entrySet()) {
            about = field.getValue().equals("") ? about.without(field.getKey()) : about;
        }
        return about;
    }

    private static boolean becomesPositive(Document before, Document after) {
        return Fields.integer(before, GRACE).filter(seconds -> seconds < 0).isPresent()
                && Fields.integer(after, GRACE).equals(Optional.of(1L));
    }

    private static void gates(Document before, Document after, Problems problems) {
        List<Document> oldGates = Fields.objects(Fields.object(before, "spec"), "schedulingGates");
        for (Document gate : Fields.objects(Fields.object(after, "spec"), "schedulingGates")) {
            if (!oldGates.contains(gate)) {
                problems.forbidden(
                        "spec.schedulingGates",
                        "only deletion is allowed, but found new scheduling gate '" + Fields.text(gate, "name") + "'");
            }
        }
    }

    private static Document fixedPart(Document spec) {
        // An old name of the field, in which objects may have been stored.
        String account = Fields.text(spec, "serviceAccount");
        boolean named = Fields.isSet(spec, "serviceAccountName") || account.isEmpty();
        Document fixed = named ? spec : spec.with(account, "serviceAccountName");
        for (String field : APART) {
            fixed = fixed.without(field);
        }
        if (Fields.list(fixed, EPHEMERAL).isEmpty()) {
            fixed = fixed.without(EPHEMERAL);
        }
        for (String field : CONTAINERS) {
            if (Fields.isSet(fixed, field)) {
                fixed = fixed.with(
                        Fields.objects(fixed, field).stream()
                                .map(container -> container.without("image").asMap())
                                .toList(),
                        field);
            }
        }
        return fixed;
    }
}
