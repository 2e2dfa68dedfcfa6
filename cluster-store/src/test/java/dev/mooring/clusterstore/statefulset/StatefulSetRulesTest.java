// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.defaulting.Defaulting;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.StatefulSetRules;
import dev.mooring.clusterstore.validation.Validation;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the server says of wrong sets, and fills into right ones. */
class StatefulSetRulesTest {
    private static final Validation RULES = Validation.none().with(StoredKinds.STATEFUL_SET, new StatefulSetRules());

    private static Document filled(Document set) {
        return Defaulting.onUpdate(StoredKinds.STATEFUL_SET, set);
    }

    private static Document with(String part) {
        Document set = SetDocuments.set();
        for (Map.Entry<String, Object> entry : SetDocuments.json(part).asMap().entrySet()) {
            set = set.with(entry.getValue(), "spec", entry.getKey());
        }
        return set;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | ~~
            {'replicas':-1} | spec.replicas: Invalid value: -1: must be greater than or equal to 0
            {'ordinals':{'start':-1}} | spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0
            {'minReadySeconds':-2} | spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0
            {'podManagementPolicy':'Odd'} | spec.podManagementPolicy: Invalid value: "Odd": must be 'OrderedReady' or 'Parallel'
            {'selector':{}} | spec.selector: Invalid value: {}: empty selector is invalid for statefulset
            {'selector':{'matchLabels':{'app':'other'}}} | spec.template.metadata.labels: Invalid value: {"app":"web","tier":"a"}: `selector` does not match template `labels`
            {'updateStrategy':{'type':'Odd'}} | spec.updateStrategy: Invalid value: {"type":"Odd"}: must be 'RollingUpdate' or 'OnDelete'
            {'updateStrategy':{'type':'OnDelete','rollingUpdate':{'partition':1}}} | spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy 'RollingUpdate'
            {'updateStrategy':{'rollingUpdate':{'partition':-1}}} | spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0
            {'persistentVolumeClaimRetentionPolicy':{'whenScaled':'Odd'}} | spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Odd": supported values: "Delete", "Retain"
            """)
    void saysWhatIsWrong(String part, String problem) {
        List<FieldError> found = RULES.onCreate(StoredKinds.STATEFUL_SET, filled(with(part)));
        assertThat(String.join(", ", found.stream().map(FieldError::toString).toList()))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'replicas':9,'minReadySeconds':3,'ordinals':{'start':2},'revisionHistoryLimit':1} | true
            {'persistentVolumeClaimRetentionPolicy':{'whenScaled':'Delete'}}                   | true
            {'updateStrategy':{'type':'OnDelete'}}                                             | true
            {'serviceName':'other'}                                                            | false
            {'podManagementPolicy':'Parallel'}                                                 | false
            {'volumeClaimTemplates':[]}                                                        | false
            """)
    void otherFieldsThanThoseOfScalingAndUpdatingStayAsTheyAre(String part, boolean allowed) {
        List<FieldError> found =
                RULES.onUpdate(StoredKinds.STATEFUL_SET, filled(SetDocuments.set()), filled(with(part)));
        if (allowed) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found)
                    .extracting(FieldError::toString)
                    .containsExactly("spec: Forbidden: updates to statefulset spec for fields other than 'replicas', "
                            + "'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "
                            + "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
        }
    }

    @Test
    void eachFieldOfAPolicyHasItsDefault() {
        Document set =
                filled(with("{'updateStrategy':{},'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'}}"));
        assertThat(set.object("spec", "updateStrategy"))
                .contains(SetDocuments.json("{'type':'RollingUpdate','rollingUpdate':{'partition':0}}"));
        assertThat(set.object("spec", "persistentVolumeClaimRetentionPolicy"))
                .contains(SetDocuments.json("{'whenDeleted':'Delete','whenScaled':'Retain'}"));
        assertThat(filled(with("{'updateStrategy':{'type':'OnDelete'}}")).object("spec", "updateStrategy"))
                .contains(SetDocuments.json("{'type':'OnDelete'}"));
    }
}
