// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is different between two versions of an object, in words for people. Pure. */
final class LifeChanges {
    private LifeChanges() {}

    static List<String> between(KubernetesObject before, Optional<? extends KubernetesObject> after) {
        if (after.isEmpty()) {
            return List.of("is gone");
        }
        List<String> changes = new ArrayList<>();
        Map<String, String> was = facts(before);
        Map<String, String> is = facts(after.get());
        is.forEach((fact, value) -> {
            String earlier = was.getOrDefault(fact, "");
            if (!earlier.equals(value)) {
                changes.add(sentence(fact, earlier, value));
            }
        });
        was.forEach((fact, value) -> {
            if (!is.containsKey(fact) && !value.isEmpty()) {
                changes.add(sentence(fact, value, ""));
            }
        });
        return changes;
    }

    private static String sentence(String fact, String before, String after) {
        if (before.isEmpty()) {
            return fact + ": " + after;
        }
        return fact + ": " + before + " → " + (after.isEmpty() ? "none" : after);
    }

    private static Map<String, String> facts(KubernetesObject object) {
        Map<String, String> facts = new LinkedHashMap<>();
        PageStates states = new PageStates(Instant.EPOCH);
        if (object instanceof PersistentVolumeClaim claim) {
            facts.put("state", states.of(claim).state());
            facts.put("volume", claim.spec().volumeName());
            facts.put("size", PageCells.size(claim).map(Object::toString).orElse(""));
            facts.put("class", claim.spec().storageClassName().orElse(""));
            claim.status().conditions().forEach(condition -> put(facts, condition));
        } else if (object instanceof PersistentVolume volume) {
            facts.put("state", states.of(volume).state());
            facts.put(
                    "claim",
                    volume.spec()
                            .claimRef()
                            .map(claim -> claim.namespace() + "/" + claim.name())
                            .orElse(""));
            facts.put("size", volume.spec().storage().toString());
            facts.put("message", volume.status().message());
        } else if (object instanceof VolumeAttachment attachment) {
            facts.put("state", states.of(attachment).state());
            facts.put(
                    "error",
                    PageStates.error(attachment).map(VolumeError::message).orElse(""));
        } else if (object instanceof Pod pod) {
            facts.put("state", states.of(pod).state());
            facts.put("node", pod.spec().nodeName());
        } else if (object instanceof Node node) {
            facts.put("state", states.of(node).state());
        }
        return facts;
    }

    private static void put(Map<String, String> facts, Condition condition) {
        facts.put(
                "condition " + condition.type(),
                (condition.status().wireName() + " " + condition.reason() + " " + condition.message()).strip());
    }
}
