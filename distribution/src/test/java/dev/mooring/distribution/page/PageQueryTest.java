// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.page.LifeStore.Subject;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found, in which order, and how much of it. */
class PageQueryTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final int MANY = 5_000;

    private static PersistentVolume volume(String name, long gibibytes, PersistentVolumePhase phase, Instant since) {
        return new PersistentVolume(
                ObjectMeta.named(name)
                        .withUid("uid-" + name)
                        .withLabels(Map.of("rack", "R1-" + name))
                        .withCreationTimestamp(Optional.of(since)),
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.ofBytes(gibibytes << 30))
                        .withStorageClassName(Optional.of("manual"))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withSource(Optional.of(new NfsSource("nfs.example.com", "/" + name, false).toSource())),
                PersistentVolumeStatus.EMPTY.withPhase(phase).withLastPhaseTransitionTime(Optional.of(since)));
    }

    private static PersistentVolumeClaim claim(String namespace, String name, String volume) {
        return new PersistentVolumeClaim(
                ObjectMeta.named(namespace, name).withUid("uid-" + name).withCreationTimestamp(Optional.of(NOW)),
                PersistentVolumeClaimSpec.EMPTY.withVolumeName(volume),
                PersistentVolumeClaimStatus.EMPTY.withPhase(volume.isEmpty() ? ClaimPhase.PENDING : ClaimPhase.BOUND));
    }

    private static PageMoment some() {
        PersistentVolume bound = volume("b", 9, PersistentVolumePhase.BOUND, NOW.minusSeconds(50));
        bound = bound.withSpec(bound.spec()
                .withClaimRef(Optional.of(ObjectReference.EMPTY
                        .withNamespace("shop")
                        .withName("cart")
                        .withUid("uid-cart"))));
        return moment(
                List.of(claim("shop", "cart", "b"), claim("shop", "waits", "")),
                List.of(
                        volume("a", 10, PersistentVolumePhase.AVAILABLE, NOW.minusSeconds(900)),
                        bound,
                        volume("c", 1, PersistentVolumePhase.RELEASED, NOW.minusSeconds(10)),
                        volume("d", 2, PersistentVolumePhase.FAILED, NOW.minusSeconds(20))));
    }

    private static PageMoment moment(List<PersistentVolumeClaim> claims, List<PersistentVolume> volumes) {
        return new PageMoment(
                "1",
                new PageObjects(claims, volumes, List.of(), List.of(), List.of(), List.of(), List.of()),
                List.of(),
                NOW);
    }

    private static Document answer(PageMoment moment, String... pairs) {
        Map<String, String> parameters = new HashMap<>(Map.of("kind", "volumes"));
        for (int at = 0; at < pairs.length; at += 2) {
            parameters.put(pairs[at], pairs[at + 1]);
        }
        return PageQuery.of(name -> parameters.getOrDefault(name, ""))
                .orElseThrow()
                .answer(moment, Map::of);
    }

    private static List<String> names(Document answer) {
        List<String> names = new ArrayList<>();
        ((List<?>) answer.at("rows").orElseThrow())
                .forEach(row -> names.add(String.valueOf(((Map<?, ?>) row).get("name"))));
        return names;
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', '', 'd c a b'", // what has to be looked at first, the longest wait before the others
        "'', name, '', 'a b c d'",
        "'', name, desc, 'd c b a'",
        "'', size, '', 'c d b a'", // 10Gi is more than 9Gi
        "'', created, '', 'c d b a'",
        "'', source, desc, 'd c b a'",
        "nfs.example.com:/c, '', '', c",
        "cart, '', '', b",
        "SHOP, '', '', b",
        "state:bound, '', '', b",
        "label:rack=r1-a, '', '', a",
        "rack=r1-d, '', '', d",
        "class:manual fail, '', '', d",
        "class:man, '', '', ''",
        "ns:shop, '', '', ''",
        "node:x, '', '', ''",
        "nothing, '', '', ''"
    })
    void findsAndSorts(String words, String sort, String direction, String expected) {
        assertThat(String.join(" ", names(answer(some(), "q", words, "sort", sort, "dir", direction))))
                .isEqualTo(expected);
    }

    /** Quotes of the event's own do not matter: they cannot be written between quotes. */
    @ParameterizedTest
    @CsvSource({
        "event:\"manual not found\", a",
        "event:\"MANUAL not found, a",
        "event:manual event:found, c a",
        "event:\"not found\" state:released, ''",
        "'class:\"manual\" \"\"', 'd c a b'",
    })
    void aTextBetweenQuotesIsOneWord(String words, String expected) {
        Map<Subject, String> told = Map.of(
                new Subject(PageKind.VOLUMES, ObjectKey.cluster("a")), "failed class \"manual\" not found\n",
                new Subject(PageKind.VOLUMES, ObjectKey.cluster("c")), "failed found no class manual\n");
        PageQuery query = PageQuery.of(
                        name -> Map.of("kind", "volumes", "q", words).getOrDefault(name, ""))
                .orElseThrow();

        assertThat(String.join(" ", names(query.answer(some(), () -> told)))).isEqualTo(expected);
    }

    @Test
    void filtersByStateAndByWhatNeedsAttention() {
        assertThat(names(answer(some(), "state", "Released"))).containsExactly("c");
        assertThat(names(answer(some(), "attention", "true"))).containsExactly("d", "c");
        Document answer = answer(some(), "state", "Released");
        // The counts stay those of all states: they are the other filters.
        assertThat(answer.at("states")).contains(Map.of("Available", 1L, "Bound", 1L, "Failed", 1L, "Released", 1L));
        assertThat(answer.at("attention")).contains(2L);
    }

    @Test
    void eachOfManyVolumesIsOnOnePage() {
        List<PersistentVolume> volumes = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            volumes.add(volume("v" + number, 1, PersistentVolumePhase.AVAILABLE, NOW));
        }
        PageMoment moment = moment(List.of(), volumes);
        Set<String> seen = new HashSet<>();
        for (int offset = 0; offset < MANY; offset += 100) {
            List<String> page = names(answer(moment, "offset", Integer.toString(offset), "limit", "100"));
            assertThat(page).hasSize(100);
            seen.addAll(page);
        }
        assertThat(seen).hasSize(MANY);
        assertThat(names(answer(moment, "limit", "99999"))).hasSize(PageQuery.MOST);
    }

    @Test
    void groupsCountWhatIsInThem() {
        Document namespaces = answer(some(), "kind", "namespaces");
        assertThat(namespaces.at("rows").orElseThrow().toString())
                .contains("name=shop", "state=1 to look at", "claims={Bound=1, Pending=1}");
        assertThat(answer(some(), "kind", "classes").at("rows").orElseThrow().toString())
                .contains("name=manual", "volumes={Available=1, Bound=1, Failed=1, Released=1}");
    }

    @ParameterizedTest
    @CsvSource({"secrets,0", "volumes,-1", "volumes,x", "volumes,999999999"})
    void whatIsNoQuestionHasNoAnswer(String kind, String offset) {
        Map<String, String> parameters = Map.of("kind", kind, "offset", offset);
        assertThat(PageQuery.of(name -> parameters.getOrDefault(name, ""))).isEmpty();
    }
}
